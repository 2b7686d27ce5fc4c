"""Run pair.sh.

Migrated from pair.sh. What used to be "sbatch pair.sh" is now:

    flyte run --local pair_flyte.py pair     # this machine, no cluster
    flyte run pair_flyte.py pair             # the cluster
    flyte deploy pair_flyte.py               # register the task
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

pair_env = flyte.TaskEnvironment(
    name="pair",  # --job-name=pair
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    include=("stem.txt",),
)

# pair.sh:5, as it was
PAIR = r"""
declare +x STEM  # what the task gives it
cat ${STEM}_left.txt > $STEM.out
"""


@pair_env.task
async def pair() -> None:
    """Run the job script (pair.sh:4-5)."""
    # The stem is what a program prints, and stands without quotes within a longer word.
    stem = await capture("cat", "stem.txt")
    await bash(PAIR, "pair.sh", env={"STEM": stem})


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


async def bash(script: str, *argv: str, env: Mapping[str, str]) -> None:
    """Run a piece of the job script, argv as its $0, $1, ...; if it fails, fail."""
    process = await asyncio.create_subprocess_exec(
        "/bin/bash",
        "-c",
        script,
        *argv,
        cwd=HERE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **env},
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(pair).url)
# slurm2flyte: generated from pair.sh, sha256 of the text above: a6f49b666b0c
