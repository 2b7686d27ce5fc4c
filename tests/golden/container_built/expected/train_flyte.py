"""Run infer.py on 1 GPU.

Migrated from train.sh. What used to be "sbatch train.sh" is now:

    flyte run --local train_flyte.py train     # this machine, no cluster
    flyte run train_flyte.py train             # the cluster
    flyte deploy train_flyte.py                # register the task

Not carried over:

- train.sh:4 docker build -t tools -f docker/Dockerfile docker: Flyte builds a task's
  image itself
- train.sh:5 --gpus all: gpu= gives the container its GPU
"""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F530: train.sh:4 docker build -t tools -f docker/Dockerfile docker: Flyte
# builds the image; the file must install Python and flyte. Name a registry for
# REGISTRY.
image = flyte.Image.from_dockerfile(
    HERE / "docker/Dockerfile", registry="REGISTRY", name="train"
)

train_env = flyte.TaskEnvironment(
    name="train",  # --job-name=train
    image=image,
    resources=flyte.Resources(
        gpu=1,  # --gres=gpu:1
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    include=("infer.py",),
)


@train_env.task
async def train(epochs: int = 3) -> None:
    """Run infer.py (train.sh:5)."""
    await run(image_python(), "infer.py", "--epochs", epochs)


def image_python() -> str:
    """Find the Python that came with the image; flyte's own stands first on PATH."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(p for p in os.get_exec_path() if p != own)
    return shutil.which("python", path=path) or sys.executable


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
# slurm2flyte: generated from train.sh, sha256 of the text above: a823d592aaf0
