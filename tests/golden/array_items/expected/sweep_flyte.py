"""Run fit.py 6 times, at most 3 at a time.

Migrated from sweep.sh. What used to be "sbatch sweep.sh" is now:

    flyte run --local sweep_flyte.py main     # this machine, no cluster
    flyte run sweep_flyte.py main             # the cluster
    flyte deploy sweep_flyte.py               # register the tasks
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import flyte

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

MODELS = ("small", "large")  # sweep.sh:6

RATES = ("0.1", "0.01", "0.001")  # sweep.sh:7

sweep_env = flyte.TaskEnvironment(
    name="sweep",  # --job-name=sweep
    image=image,
    include=("fit.py",),
)

main_env = flyte.TaskEnvironment(
    name="sweep-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    include=("names.csv", "sets.txt"),
    depends_on=[sweep_env],
)


@sweep_env.task
async def sweep(model: str, rate: str, name: str, owner: str, set_: str) -> None:
    """Run fit.py (sweep.sh:16); model is an item of MODELS, rate is an item of RATES,
    name and owner are words of names.csv, set_ is a line of sets.txt.
    """
    # The grid.
    # One data set for each element.
    await run(
        sys.executable,
        "fit.py",
        "--model",
        model,
        "--rate",
        rate,
        "--data",
        set_,
        "--name",
        name,
        "--by",
        owner,
    )


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the whole array."""
    indices = range(6)  # --array=0-5%3
    results = flyte.map.aio(
        sweep,
        [MODELS[i // 3] for i in indices],  # sweep.sh:8
        [RATES[i % 3] for i in indices],  # sweep.sh:9
        # sweep.sh:13
        [
            cut_field(line, 2, ",")
            for line in lines_of(HERE / "names.csv", [i + 1 for i in indices])
        ],
        # sweep.sh:14
        [
            awk_field(line, 1, ",")
            for line in lines_of(HERE / "names.csv", [i + 1 for i in indices])
        ],
        lines_of(HERE / "sets.txt", [i + 1 for i in indices]),  # sweep.sh:16
        concurrency=3,  # --array=...%3
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
    print(flyte.run(main).url)
# slurm2flyte: generated from sweep.sh, sha256 of the text above: 6cfdc13b2100
