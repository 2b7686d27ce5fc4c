"""Run fit.py.

Migrated from fit.sh. What used to be "sbatch fit.sh" is now:

    flyte run --local fit_flyte.py fit     # this machine, no cluster
    flyte run fit_flyte.py fit             # the cluster
    flyte deploy fit_flyte.py              # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

fit_env = flyte.TaskEnvironment(
    name="fit",  # --job-name=fit
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="4Gi"),  # --mem=4G
    include=("fit.py",),
)


@fit_env.task
async def fit(data: str = "", rate: str = "0.1", dry_run: str = "") -> None:
    """Run fit.py (fit.sh:19-23); data was $DATA, rate was $RATE, dry_run was
    $DRY_RUN.
    """
    # What the caller says goes before the defaults.
    if not data:
        print("no data", file=sys.stderr, flush=True)
        raise subprocess.CalledProcessError(1, "fit.sh")
    await run(
        sys.executable,
        "fit.py",
        "--data",
        data,
        "--rate",
        rate,
        "--output_dir",
        "fits/a",
        *(["--dry-run"] if dry_run else []),
    )


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
    print(flyte.run(fit).url)
# slurm2flyte: generated from fit.sh, sha256 of the text above: 6f8e4db5e891
