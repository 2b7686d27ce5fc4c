"""Run align.py 3 times.

Migrated from align.sh. What used to be "sbatch align.sh" is now:

    flyte run --local align_flyte.py main --samples SAMPLES --options OPTIONS
    flyte run align_flyte.py main --samples SAMPLES --options OPTIONS
    flyte deploy align_flyte.py
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import flyte
from flyte.io import File

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

# REVIEW S2F601: align.sh:6 /project/lab/samples.tsv: what is read or written there must
# become an input, an output or a mounted volume (pod_template="...").
align_env = flyte.TaskEnvironment(
    name="align",  # --job-name=align
    image=image,
    include=("align.py",),
)

main_env = flyte.TaskEnvironment(
    name="align-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[align_env],
)


@align_env.task
async def align(sample: str, depth: str, option: str) -> None:
    """Run align.py (align.sh:6-10); sample and depth are words of samples, option is a
    line of options.
    """
    # One sample for each element.
    await run(sys.executable, "align.py", sample, depth, option)


@main_env.task(entrypoint=True)
async def main(samples: File, options: File) -> None:
    """Run the whole array."""
    samples_path = await fetch(samples)
    options_path = await fetch(options)
    indices = range(1, 4)  # --array=1-3
    results = flyte.map.aio(
        align,
        [awk_field(line, 1) for line in lines_of(samples_path, indices)],  # align.sh:7
        # align.sh:8
        [cut_field(line, 2, "\t") for line in lines_of(samples_path, indices)],
        lines_of(options_path, indices),  # align.sh:9
    )
    all_ok([r async for r in results])


def lines_of(path: Path, numbers: Iterable[int]) -> list[str]:
    """Give the lines of a file with these numbers, from 1 on; "" where there is none."""
    *lines, last = path.read_bytes().decode().split("\n")
    if last:  # without a newline
        lines.append(last)
    return [lines[n - 1] if 0 < n <= len(lines) else "" for n in numbers]


def cut_field(line: str, number: int, separator: str) -> str:
    """Give a field of a line as `cut -f` does; all of a line without a separator."""
    fields = line.split(separator)
    if len(fields) == 1:
        return line
    return fields[number - 1] if number <= len(fields) else ""


def awk_field(line: str, number: int, separator: str = "") -> str:
    """Give a field of a line as `awk` counts them; "" where there is none."""
    blanks = re.split(r"[ \t]+", line.strip(" \t"))
    fields = line.split(separator) if separator else blanks
    return fields[number - 1] if number <= len(fields) else ""


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs returned; if one of them failed, fail."""
    failures = [r for r in results if isinstance(r, BaseException)]
    if failures:
        message = f"{len(failures)} of {len(results)} jobs failed"
        raise RuntimeError(message) from failures[0]
    return [r for r in results if not isinstance(r, BaseException)]


async def fetch(data: File) -> Path:
    """Download an input; in a local run it is there already."""
    return Path(await data.download()).resolve()


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
    print("See: flyte run align_flyte.py main --help")
# slurm2flyte: generated from align.sh, sha256 of the text above: 1f270816851f
