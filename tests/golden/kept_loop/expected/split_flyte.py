"""Run split.sh.

Migrated from split.sh. What used to be "sbatch split.sh" is now:

    flyte run --local split_flyte.py split     # this machine, no cluster
    flyte run split_flyte.py split             # the cluster
    flyte deploy split_flyte.py                # register the task
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

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

# split.sh:9-18, as it was but for line 14, srun of one process
SPLIT = r"""
declare +x WORK  # what the task gives it
trap 'rm -rf "$WORK"' EXIT

for file in data/*.txt; do
    name=$(basename "$file" .txt)
    while read -r line; do
        python upper.py "$line" >> "$WORK/$name"
    done < "$file"
    [ -s "$WORK/$name" ] || exit 4
done
cat "$WORK"/* > all.txt
"""


@split_env.task(timeout=timedelta(hours=1))  # --time=01:00:00
async def split() -> File | None:
    """Run the job script (split.sh:8-18)."""
    work = await capture("mktemp", "-d")
    await bash(SPLIT, "split.sh", env={"WORK": work})
    return await keep(HERE / "all.txt")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


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
    print(flyte.run(split).url)
# slurm2flyte: generated from split.sh, sha256 of the text above: 2622ba54fc4d
