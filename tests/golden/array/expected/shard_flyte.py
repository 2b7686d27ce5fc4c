"""Run shard.py 4 times.

Migrated from shard.sh. What used to be "sbatch shard.sh" is now:

    flyte run --local shard_flyte.py main     # this machine, no cluster
    flyte run shard_flyte.py main             # the cluster
    flyte deploy shard_flyte.py               # register the tasks
"""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import flyte

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

shard_env = flyte.TaskEnvironment(
    name="shard",  # --job-name=shard
    image=image,
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
    include=("shard.py",),
)

main_env = flyte.TaskEnvironment(
    name="shard-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[shard_env],
)


@shard_env.task(timeout=timedelta(minutes=10))  # --time=10
async def shard(shard: int, of: int = 4) -> None:
    """Run shard.py (shard.sh:7); shard was $SLURM_ARRAY_TASK_ID."""
    await run(sys.executable, "shard.py", "--shard", shard, "--of", of)


@main_env.task(entrypoint=True)
async def main(of: int = 4) -> None:
    """Run the whole array; of was $SLURM_ARRAY_TASK_COUNT."""
    results = flyte.map.aio(
        shard,
        range(1, of + 1),  # --array=1-4
        [of] * of,
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
# slurm2flyte: generated from shard.sh, sha256 of the text above: dfddde88202f
