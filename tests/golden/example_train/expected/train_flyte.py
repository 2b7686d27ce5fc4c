"""Run train.py on 8 A100 GPUs.

Migrated from train.sh. What used to be "sbatch train.sh" is now:

    flyte run --local train_flyte.py train     # this machine, no cluster
    flyte run train_flyte.py train             # the cluster
    flyte deploy train_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# train.sh:10 module load cuda/12.1: Python packages for GPUs bring their own CUDA.
# REVIEW S2F501: train.sh:11 activated ~/venvs/train, which was not there to be read. If
# the job needs more packages, `pip freeze` it to requirements.txt and add
# .with_requirements(HERE / "requirements.txt").
image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

train_env = flyte.TaskEnvironment(
    name="train",  # --job-name=train
    image=image,
    resources=flyte.Resources(
        cpu=16,  # --cpus-per-task=16
        memory="64Gi",  # --mem=64G
        gpu="A100:8",  # --gres=gpu:a100:8
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    queue="gpu",  # REVIEW S2F210: --partition=gpu; your deployment needs that queue
    include=("train.py",),
)


@train_env.task(
    # REVIEW S2F220: Slurm requeues after a node failure; a retry also follows a failed
    # command.
    retries=3,  # --requeue
    timeout=timedelta(hours=4),  # --time=04:00:00
)
async def train(lr: float = 3e-4) -> File | None:
    """Run train.py (train.sh:13)."""
    await run(sys.executable, "train.py", "--lr", lr)
    return await keep(HERE / "model.json")


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
    print(flyte.run(train).url)
# slurm2flyte: generated from train.sh, sha256 of the text above: 43f9bbd498f7
