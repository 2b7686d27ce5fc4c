"""Run train.py.

Migrated from again.sh. What used to be "sbatch again.sh" is now:

    flyte run --local again_flyte.py again     # this machine, no cluster
    flyte run again_flyte.py again             # the cluster
    flyte deploy again_flyte.py                # register the task
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

again_env = flyte.TaskEnvironment(
    name="again",  # --job-name=again
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    include=("train.py",),
)


@again_env.task(
    # REVIEW S2F368: again.sh:8 started the job again, as often as it took; attempts are
    # counted.
    retries=3,  # again.sh:8 starts it again
    timeout=timedelta(hours=4),  # --time=04:00:00
)
async def again() -> Dir:
    """Run train.py (again.sh:4-9)."""
    # REVIEW S2F410: no `set -e`: when this fails (again.sh:4), the job goes on, and its
    # last command decides. check=True would end it here.
    await resumable(
        HERE / "checkpoints",
        run(sys.executable, "train.py", "--ckpt-dir", "checkpoints", check=False),
    )
    # until there is nothing left to do
    if not (HERE / "checkpoints/DONE").is_file():
        print("submitting the next run", flush=True)
        raise subprocess.CalledProcessError(1, "again.sh")
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
    print(flyte.run(again).url)
# slurm2flyte: generated from again.sh, sha256 of the text above: c2371fff00ca
