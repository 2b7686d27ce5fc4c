"""Run split.sh.

Migrated from split.sh. What used to be "sbatch split.sh" is now:

    flyte run --local split_flyte.py split     # this machine, no cluster
    flyte run split_flyte.py split             # the cluster
    flyte deploy split_flyte.py                # register the task
"""

import asyncio
import glob
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# split.sh:7 module load python/3.11
image = flyte.Image.from_debian_base(python_version=(3, 11))  # python/3.11

split_env = flyte.TaskEnvironment(
    name="split",  # --job-name=split
    image=image,
    resources=flyte.Resources(cpu=2, memory="4Gi"),  # --cpus-per-task=2 --mem=4G
    include=("data", "upper.py"),
)

# split.sh:11-17, as it was but for line 14, srun of one process
SPLIT = r"""
declare +x WORK  # what the task gives it
for file in data/*.txt; do
    name=$(basename "$file" .txt)
    while read -r line; do
        python upper.py "$line" >> "$WORK/$name"
    done < "$file"
    [ -s "$WORK/$name" ] || exit 4
done
"""


@split_env.task(timeout=timedelta(hours=1))  # --time=01:00:00
async def split() -> File | None:
    """Run the job script (split.sh:8-18)."""
    work = await capture("mktemp", "-d")
    try:
        if await bash_state(SPLIT, "split.sh", env={"WORK": work}, check=False) is None:
            return await keep(HERE / "all.txt")  # it ended the script
        with (HERE / "all.txt").open("wb") as stdout:
            await run("cat", *expand(f"{glob.escape(work)}/*"), stdout=stdout)
    finally:
        await run("rm", "-rf", work, check=False)  # split.sh:9
    return await keep(HERE / "all.txt")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(
    *command: str | float | Path, stdout: IO[bytes] | None = None, check: bool = True
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout
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


async def bash_state(
    script: str, *argv: str, env: Mapping[str, str], check: bool = True
) -> list[str] | None:
    """Run a piece of the job script; return what these hold after it, None if it ends there."""
    with tempfile.NamedTemporaryFile() as values:
        shown = "printf '\\0'"
        tail = "\nset -- $?; { " + shown + "; } >" + values.name + "; exit $1"
        process = await asyncio.create_subprocess_exec(
            "/bin/bash",
            "-c",
            script + tail,
            *argv,
            cwd=HERE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **env},
        )
        code = await process.wait()
        held = os.fsdecode(values.read()).split("\0")[:-1]
    if code and (check or not held):
        raise subprocess.CalledProcessError(code, argv)
    return held or None


def expand(pattern: str, cwd: Path = HERE) -> list[str]:
    """Find the files that a shell's pattern means; the pattern itself if there are none."""
    return sorted(glob.glob(pattern, root_dir=cwd)) or [pattern]


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(split).url)
# slurm2flyte: generated from split.sh, sha256 of the text above: 6dce5f644052
