"""Run evaluate.py 64 times, at most 8 at a time.

Migrated from sweep.sh. What used to be "sbatch sweep.sh" is now:

    flyte run --local sweep_flyte.py main     # this machine, no cluster
    flyte run sweep_flyte.py main             # the cluster
    flyte deploy sweep_flyte.py               # register the tasks

Not carried over:

- sweep.sh:7 --output=logs/sweep_%A_%a.out: each task has its own log (flyte get logs)
"""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import flyte
from flyte.io import File

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

sweep_env = flyte.TaskEnvironment(
    name="sweep",  # --job-name=sweep
    image=image,
    resources=flyte.Resources(
        cpu=2,  # --cpus-per-task=2
        memory="4Gi",  # --mem-per-cpu=2G x 2 CPUs
    ),
    include=("evaluate.py",),
)

main_env = flyte.TaskEnvironment(
    name="sweep-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[sweep_env],
)


@sweep_env.task(timeout=timedelta(minutes=20))  # --time=00:20:00
async def sweep(index: int) -> File | None:
    """Run evaluate.py (sweep.sh:10); index was $SLURM_ARRAY_TASK_ID."""
    # One point of the grid for each element of the array.
    await run(
        sys.executable,
        "evaluate.py",
        "--index",
        index,
        "--out",
        f"score_{index}.json",
    )
    return await keep(HERE / f"score_{index}.json")


@main_env.task(entrypoint=True)
async def main() -> list[File | None]:
    """Run the whole array."""
    results = flyte.map.aio(
        sweep,
        range(64),  # --array=0-63%8
        concurrency=8,  # --array=...%8
    )
    return all_ok([r async for r in results])


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs returned; if one of them failed, fail."""
    failures = [r for r in results if isinstance(r, BaseException)]
    if failures:
        message = f"{len(failures)} of {len(results)} jobs failed"
        raise RuntimeError(message) from failures[0]
    return [r for r in results if not isinstance(r, BaseException)]


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


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
# slurm2flyte: generated from sweep.sh, sha256 of the text above: 578bc682e87b
