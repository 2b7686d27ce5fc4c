"""Run one.py 5 times, at most 1 at a time.

Migrated from one.sh. What used to be "sbatch one.sh" is now:

    flyte run --local one_flyte.py main     # this machine, no cluster
    flyte run one_flyte.py main             # the cluster
    flyte deploy one_flyte.py               # register the tasks
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

gaps_env = flyte.TaskEnvironment(
    name="gaps",  # --job-name=gaps
    image=image,
    include=("one.py",),
)

main_env = flyte.TaskEnvironment(
    name="gaps-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[gaps_env],
)


@gaps_env.task
async def gaps(index: int) -> None:
    """Run one.py (one.sh:4); index was $SLURM_ARRAY_TASK_ID."""
    await run(sys.executable, "one.py", index)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the whole array."""
    results = flyte.map.aio(
        gaps,
        [1, 3, 10, 15, 20],  # --array=1,3,10-20:5%1
        concurrency=1,  # --array=...%1
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
# slurm2flyte: generated from one.sh, sha256 of the text above: 67a23b832a41
