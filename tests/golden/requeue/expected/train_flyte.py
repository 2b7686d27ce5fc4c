"""Run train.py on 1 H100 GPU.

Migrated from train.sh. What used to be "sbatch train.sh" is now:

    flyte run --local train_flyte.py train     # this machine, no cluster
    flyte run train_flyte.py train             # the cluster
    flyte deploy train_flyte.py                # register the task

Not carried over:

- train.sh:6 --signal=B:USR1@120, and train.sh:8 its trap: no signal is sent;
  checkpoints is saved every minute
- train.sh:7 --open-mode=append: each task has its own log (flyte get logs)
"""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import flyte
from flyte.io import Dir

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

train_env = flyte.TaskEnvironment(
    name="train",  # --job-name=train
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(
        gpu="H100:1",  # --gres=gpu:h100:1
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    include=("train.py",),
)


@train_env.task(
    # REVIEW S2F220: train.sh:8 had the job start again before every time limit, without
    # end; retries are counted, and also follow a failed command.
    retries=3,  # --requeue
    timeout=timedelta(days=1),  # --time=24:00:00
)
async def train(resume: str = "auto") -> Dir:
    """Run train.py (train.sh:9)."""
    # REVIEW S2F410: no `set -e`: when this fails (train.sh:9), the job goes on, and its
    # last command decides. check=True would end it here.
    await resumable(
        HERE / "checkpoints",
        run(
            sys.executable,
            "train.py",
            "--ckpt-dir",
            "checkpoints",
            "--resume",
            resume,
            check=False,
        ),
    )
    return await Dir.from_local(str(HERE / "checkpoints"))


async def run(*command: str | float | Path, check: bool = True) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL
        )
        code = await process.wait()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
    if code < 0:  # ended by a signal, which a shell counts from 128 on
        code = 128 - code
    if check and code:
        raise subprocess.CalledProcessError(code, argv)
    return code


async def resumable(checkpoints: Path, work: Coroutine[Any, Any, int]) -> int:
    """Run a command that goes on from its checkpoints, which outlive a failed attempt."""
    checkpoint = flyte.ctx().checkpoint
    if checkpoint and (saved := await checkpoint.load()):
        shutil.copytree(saved, checkpoints, dirs_exist_ok=True)
    running = asyncio.create_task(work)
    while not running.done():
        await asyncio.wait([running], timeout=60)
        if checkpoint and checkpoints.is_dir():
            await checkpoint.save(checkpoints)
    return await running


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(train).url)
# slurm2flyte: generated from train.sh, sha256 of the text above: a4b5cdb16984
