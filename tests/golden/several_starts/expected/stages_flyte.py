"""Run fit.py on 2 nodes with 2 A100 GPUs each.

Migrated from stages.sh. What used to be "sbatch stages.sh" is now:

    flyte run --local stages_flyte.py main     # one process
    flyte run stages_flyte.py main             # the cluster
    flyte deploy stages_flyte.py               # register the tasks

Not carried over:

- stages.sh:8 srun, torchrun: Flyte starts the ranks and lets them meet
- stages.sh:3 --ntasks-per-node=1: Flyte starts torchrun, once a node
- stages.sh:6 head_node: only the launcher of the ranks reads it
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte
from flyte.clustered import ClusteredTaskEnvironment, TorchRun

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F505: nothing lists the packages of the Python program; its imports name
# torch, without versions.
image = flyte.Image.from_debian_base(
    python_version=(3, 12)  # default: none named
).with_pip_packages("torch")

stages_env = ClusteredTaskEnvironment(
    name="stages",
    image=image,
    resources=flyte.Resources(
        cpu=1,  # --ntasks-per-node=1
        gpu="A100:2",  # --gpus-per-node=a100:2
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    replicas=2,  # --nodes=2
    nproc_per_node=2,  # of torchrun, so 4 ranks
    runtime=TorchRun(rdzv_backend="c10d"),  # torchrun --rdzv_backend=c10d
    include=("fit.py",),
)

main_env = flyte.TaskEnvironment(
    name="stages-starts",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[stages_env],
)


@stages_env.task
async def stages(lr: str, fold: int = 3) -> None:
    """Be one rank of fit.py (stages.sh:8); lr differs from start to start.

    torchrun starts this task once a rank, with RANK, WORLD_SIZE, MASTER_ADDR, ... set:
    fit.py is a plain command here. Flyte keeps what rank 0 returns.
    """
    await run(sys.executable, "fit.py", "--fold", fold, "--lr", lr)


@main_env.task(entrypoint=True)
async def main(fold: int = 3) -> None:
    """Start the ranks 2 times, one after the other (stages.sh:7-8)."""
    for lr in ("0.1", "0.01"):  # stages.sh:7-8
        await stages(lr=lr, fold=fold)


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
# slurm2flyte: generated from stages.sh, sha256 of the text above: 6fdd677e2e34
