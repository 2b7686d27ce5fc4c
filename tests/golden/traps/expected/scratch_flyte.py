"""Run simulate.py.

Migrated from scratch.sh. What used to be "sbatch scratch.sh" is now:

    flyte run --local scratch_flyte.py scratch_job     # this machine, no cluster
    flyte run scratch_flyte.py scratch_job             # the cluster
    flyte deploy scratch_flyte.py                      # register the task

Not carried over:

- scratch.sh:21 the trap of TERM: no such signal is sent
- scratch.sh:4 --signal=B:TERM@120 asks for a warning before the time limit; Flyte gives
  none
"""

import asyncio
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F221: --signal=B:TERM@120: nothing warns before the limit: write checkpoints
# on a timer.
scratch_job_env = flyte.TaskEnvironment(
    name="scratch",  # --job-name=scratch
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
)


@scratch_job_env.task(timeout=timedelta(hours=1))  # --time=01:00:00
async def scratch_job() -> None:
    """Run simulate.py (scratch.sh:7-28)."""
    # Works in a directory of its own.
    work = await capture("mktemp", "-d")
    # in any case
    try:
        # REVIEW S2F410: no `set -e`: when this fails (scratch.sh:23), the job goes on,
        # and its last command decides. check=True would end it here.
        await run(sys.executable, "simulate.py", "--out", f"{work}/out", check=False)
        if not (HERE / f"{work}/out").is_dir():
            print("nothing came of it", flush=True)
            raise subprocess.CalledProcessError(3, "scratch.sh")
        await run("cp", "-r", f"{work}/out", "results")
    finally:
        print(f"removing {work}", flush=True)  # scratch.sh:19
        # whatever is in it
        await run("rm", "-rf", work, check=False)


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


async def capture(*command: str | float | Path) -> str:
    """Run one command of the job script; return what it prints, as $( ) does."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        )
        printed, _ = await process.communicate()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        printed = b""
    return os.fsdecode(printed.replace(b"\0", b"")).rstrip("\n")


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(scratch_job).url)
# slurm2flyte: generated from scratch.sh, sha256 of the text above: 4ef1aed717dc
