"""Run work.py 3 times.

Migrated from arr.sh. What used to be "sbatch arr.sh" is now:

    flyte run --local arr_flyte.py main     # this machine, no cluster
    flyte run arr_flyte.py main             # the cluster
    flyte deploy arr_flyte.py               # register the tasks
"""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import flyte

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

arr_env = flyte.TaskEnvironment(
    name="arr",
    image=image,
    include=("work.py",),
)

main_env = flyte.TaskEnvironment(
    name="arr-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[arr_env],
)


@arr_env.task
async def arr(name: int) -> None:
    """Run work.py (arr.sh:3); name was $SLURM_ARRAY_TASK_ID."""
    await run(sys.executable, "work.py", "--name", name)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the whole array."""
    results = flyte.map.aio(
        arr,
        range(3),  # --array=0-2
    )
    all_ok([r async for r in results])


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
# slurm2flyte: generated from arr.sh, sha256 of the text above: bfbaa76e3435
