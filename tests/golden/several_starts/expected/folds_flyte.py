"""Run fit.py on 2 nodes with 2 A100 GPUs each.

Migrated from folds.sh. What used to be "sbatch folds.sh" is now:

    flyte run --local folds_flyte.py main     # one process
    flyte run folds_flyte.py main             # the cluster
    flyte deploy folds_flyte.py               # register the tasks

Not carried over:

- folds.sh:11 echo: what the loop says beside each start
- folds.sh:12 srun: Flyte starts the ranks and lets them meet
- folds.sh:4 --ntasks-per-node=2: Flyte starts torchrun, once a node
- folds.sh:8 MASTER_ADDR: Flyte sets it in every rank
- folds.sh:9 MASTER_PORT: Flyte sets it in every rank
"""

import asyncio
import subprocess
import sys
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

folds_env = ClusteredTaskEnvironment(
    name="folds",  # --job-name=folds
    image=image,
    resources=flyte.Resources(
        cpu=2,  # --ntasks-per-node=2
        gpu="A100:2",  # --gpus-per-node=a100:2
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    replicas=2,  # --nodes=2
    nproc_per_node=2,  # of srun, so 4 ranks
    include=("fit.py",),
)

main_env = flyte.TaskEnvironment(
    name="folds-starts",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[folds_env],
)


@folds_env.task(timeout=timedelta(hours=2))  # --time=02:00:00
async def folds(fold: str, lr: float = 0.01) -> None:
    """Be one rank of fit.py (folds.sh:10-13); fold differs from start to start.

    torchrun starts this task once a rank, with RANK, WORLD_SIZE, MASTER_ADDR, ... set:
    fit.py is a plain command here. Flyte keeps what rank 0 returns.
    """
    await run(sys.executable, "fit.py", "--fold", fold, "--lr", lr)


@main_env.task(entrypoint=True)
async def main(lr: float = 0.01) -> None:
    """Start the ranks 3 times, one after the other (folds.sh:12)."""
    for fold in ("0", "1"):  # folds.sh:12
        # no `set -e`: when this one fails, the next begins
        await asyncio.gather(folds(fold=fold, lr=lr), return_exceptions=True)
    await folds(fold="2", lr=lr)


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
    print(flyte.run(main).url)
# slurm2flyte: generated from folds.sh, sha256 of the text above: 567b2c3b4967
