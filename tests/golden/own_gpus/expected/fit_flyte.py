"""Run fit.py on 2 nodes with 4 GPUs each.

Migrated from fit.sh. What used to be "sbatch fit.sh" is now:

    flyte run --local fit_flyte.py fit     # one process
    flyte run fit_flyte.py fit             # the cluster
    flyte deploy fit_flyte.py              # register the task

Not carried over:

- fit.sh:15 srun: Flyte starts the ranks and lets them meet
- fit.sh:4 --ntasks-per-node=4: Flyte starts torchrun, once a node
- fit.sh:12 MASTER_ADDR: Flyte sets it in every rank
- fit.sh:13 MASTER_PORT: Flyte sets it in every rank
- fit.sh:8 --distribution=block:block says in which order tasks lie on nodes and sockets
- fit.sh:9 --hint=nomultithread says how tasks use the threads of a core; Flyte counts a
  thread as a CPU
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import flyte
from flyte.clustered import ClusteredTaskEnvironment

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F505: nothing lists the packages of the Python program; its imports name
# torch, without versions.
image = flyte.Image.from_debian_base(
    python_version=(3, 12)  # default: none named
).with_pip_packages("torch")

fit_env = ClusteredTaskEnvironment(
    name="fit",  # --job-name=fit
    image=image,
    resources=flyte.Resources(
        cpu=24,  # --cpus-per-task=6 x 4 tasks
        memory="64Gi",  # --mem=64G
        gpu=4,  # --gpus-per-task=1 x 4 tasks
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    replicas=2,  # --nodes=2
    nproc_per_node=4,  # of srun, so 8 ranks
    include=("fit.py",),
)


@fit_env.task(timeout=timedelta(hours=12))  # --time=12:00:00
async def fit(epochs: int = 10) -> None:
    """Be one rank of fit.py (fit.sh:15).

    torchrun starts this task once a rank, with RANK, WORLD_SIZE, MASTER_ADDR, ... set:
    fit.py is a plain command here. Flyte keeps what rank 0 returns.
    """
    variables = {
        "SLURM_NTASKS": os.environ.get("WORLD_SIZE", "1"),
        "SLURM_PROCID": os.environ.get("RANK", "0"),
    }
    await run(
        sys.executable, "fit.py", "--epochs", epochs, env={**variables, **own_gpus(1)}
    )


async def run(*command: str | float | Path, env: Mapping[str, str]) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **env}
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


def own_gpus(count: int) -> dict[str, str]:
    """Show a rank its own GPUs alone, as srun did."""
    first = int(os.environ.get("LOCAL_RANK", "0")) * count
    gpus = ",".join(str(gpu) for gpu in range(first, first + count))
    return {"CUDA_VISIBLE_DEVICES": gpus}


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(fit).url)
# slurm2flyte: generated from fit.sh, sha256 of the text above: 85d5dfb90ca4
