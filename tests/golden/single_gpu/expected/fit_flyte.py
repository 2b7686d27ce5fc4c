"""Run fit.py on 1 A100 GPU.

Migrated from fit.sh. What used to be "sbatch fit.sh" is now:

    flyte run --local fit_flyte.py fit_model     # this machine, no cluster
    flyte run fit_flyte.py fit_model             # the cluster
    flyte deploy fit_flyte.py                    # register the task

Not carried over:

- fit.sh:10 -o fit.%j.out: each task has its own log (flyte get logs)
- fit.sh:11 -e fit.%j.err: each task has its own log (flyte get logs)
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte
from flyte import notify
from flyte.io import File
from flyte.models import ActionPhase

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F103: sent only for a run that `python` on this file starts; `flyte run`
# sends none.
MAIL = notify.Email(
    # --mail-type
    on_phase=(
        ActionPhase.SUCCEEDED,
        ActionPhase.FAILED,
        ActionPhase.ABORTED,
        ActionPhase.TIMED_OUT,
    ),
    recipients=("someone@example.org",),  # --mail-user
)

# fit.sh:16 module load python/3.12
image = flyte.Image.from_debian_base(python_version=(3, 12))  # python/3.12

fit_model_env = flyte.TaskEnvironment(
    name="fit-model",  # -J fit-model
    image=image,
    resources=flyte.Resources(
        cpu=8,  # --cpus-per-task=8
        memory="32000Mi",  # --mem=32000
        gpu="A100:1",  # --gpus=a100:1
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    queue="a100",  # REVIEW S2F210: -p a100; your deployment needs that queue
    include=("fit.py",),
)


@fit_model_env.task(timeout=timedelta(hours=36))  # -t 1-12
async def fit_model(
    seed: str = "007", epochs: int = 12, name: str = "first try"
) -> File | None:
    """Run fit.py (fit.sh:19)."""
    # The seed is part of the file name, so its text must stay as it is.
    await run(
        sys.executable,
        "fit.py",
        "--seed",
        seed,
        "--epochs",
        epochs,
        "--name",
        name,
        "--out",
        "result-007.txt",
    )
    return await keep(HERE / "result-007.txt")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(*command: str | float | Path) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    runner = flyte.with_runcontext(notifications=MAIL)
    print(runner.run(fit_model).url)
# slurm2flyte: generated from fit.sh, sha256 of the text above: e6e29f3778f5
