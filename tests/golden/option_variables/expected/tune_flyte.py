"""Run tune.py.

Migrated from tune.sh. What used to be "sbatch tune.sh" is now:

    flyte run --local tune_flyte.py tune     # this machine, no cluster
    flyte run tune_flyte.py tune             # the cluster
    flyte deploy tune_flyte.py               # register the task
"""

import asyncio
import glob
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

tune_env = flyte.TaskEnvironment(
    name="tune",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    include=("tune.py",),
)


@tune_env.task(timeout=timedelta(minutes=10))  # --time=10
async def tune(mode: str = "fast", rate: str = "0.1") -> None:
    """Run tune.py (tune.sh:4-9); mode was $MODE, rate was $RATE."""
    variables = {
        "RATE": rate,  # --export
        "MODE": mode,  # --export
        "STAGE": "first",  # --export
    }
    # REVIEW S2F410: no `set -e`: when this fails (tune.sh:4), the job goes on, and its
    # last command decides. check=True would end it here.
    await run(sys.executable, "tune.py", env=variables, check=False)
    exported = {"STAGE": "second"}  # tune.sh:5
    await run(sys.executable, "tune.py", env={**variables, **exported}, check=False)
    status = 0
    for word in split_words(mode):
        status = 1
        if rate:
            print(f"{word} at {rate}", flush=True)
            status = 0
    if status:
        raise subprocess.CalledProcessError(status, "tune.sh")


async def run(
    *command: str | float | Path, env: Mapping[str, str], check: bool = True
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **env}
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


def split_words(text: str, cwd: Path = HERE) -> list[str]:
    """Split a text, and expand its patterns, as a shell does without quotes."""
    parts = [part for part in re.split(r"[ \t\n]+", text) if part]
    return [name for part in parts for name in expand(part, cwd)]


def expand(pattern: str, cwd: Path = HERE) -> list[str]:
    """Find the files that a shell's pattern means; the pattern itself if there are none."""
    return sorted(glob.glob(pattern, root_dir=cwd)) or [pattern]


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(tune).url)
# slurm2flyte: generated from tune.sh, sha256 of the text above: 04fe0eb7e1e3
