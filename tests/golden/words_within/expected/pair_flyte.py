"""Run pair.sh.

Migrated from pair.sh. What used to be "sbatch pair.sh" is now:

    flyte run --local pair_flyte.py pair     # this machine, no cluster
    flyte run pair_flyte.py pair             # the cluster
    flyte deploy pair_flyte.py               # register the task
"""

import asyncio
import glob
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

pair_env = flyte.TaskEnvironment(
    name="pair",  # --job-name=pair
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    include=("stem.txt", "*_left.txt"),
)


@pair_env.task
async def pair() -> File | None:
    """Run the job (pair.sh:4-5)."""
    # The stem is what a program prints, and stands without quotes within a longer word.
    stem = await capture("cat", "stem.txt")
    with (HERE / f"{stem}.out").open("wb") as stdout:
        await run("cat", *split_words(f"{stem}_left.txt"), stdout=stdout)
    return await keep(HERE / f"{stem}.out")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(*command: str | float | Path, stdout: IO[bytes]) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


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


def split_words(text: str, cwd: Path = HERE) -> list[str]:
    """Split a text, and expand its patterns, as a shell does without quotes."""
    parts = [part for part in re.split(r"[ \t\n]+", text) if part]
    return [name for part in parts for name in expand(part, cwd)]


def expand(pattern: str, cwd: Path = HERE) -> list[str]:
    """Find the files that a shell's pattern means; the pattern itself if there are none."""
    return sorted(glob.glob(pattern, root_dir=cwd)) or [pattern]


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(pair).url)
# slurm2flyte: generated from pair.sh, sha256 of the text above: a0c7f1e025ea
