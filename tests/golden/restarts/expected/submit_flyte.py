"""Run train.sh and report.sh.

Migrated from submit.sh, which submits train.sh and report.sh. What used to be "bash
submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
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

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

train_env = flyte.TaskEnvironment(
    name="train",  # --job-name=train
    image=image,
    resources=flyte.Resources(
        gpu=1,  # --gres=gpu:1
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    include=("train.py",),
)

report_env = flyte.TaskEnvironment(
    name="report",
    image=image,
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[train_env, report_env],
)


@train_env.task(
    # REVIEW S2F368: each run began whatever became of the one before; here one that
    # ended well is the last.
    retries=4,  # submit.sh:5: 5 runs in all
    timeout=timedelta(hours=4),  # --time=04:00:00
)
async def train() -> Dir:
    """Run train.py (train.sh:5)."""
    await resumable(
        HERE / "checkpoints",
        run(sys.executable, "train.py", "--ckpt-dir", "checkpoints"),
    )
    return await Dir.from_local(str(HERE / "checkpoints"))


@report_env.task(timeout=timedelta(minutes=10))  # --time=10
async def report() -> None:
    """Run the job (report.sh:3)."""
    print("training ended", flush=True)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    # Five runs of four hours each; the next goes on where the last one stopped.
    await train()
    await report()  # --dependency=afterok:$jid


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
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: f46f4a5afb5e
