"""Run first.sh, side.sh and last.sh.

Migrated from submit.sh, which submits first.sh, side.sh and last.sh. What used to be
"bash submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
"""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import flyte

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

first_env = flyte.TaskEnvironment(
    name="first",
    image=image,
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
    include=("say.py",),
)

side_env = flyte.TaskEnvironment(
    name="side",
    image=image,
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
    include=("say.py",),
)

last_env = flyte.TaskEnvironment(
    name="last",
    image=image,
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
    include=("say.py",),
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[first_env, side_env, last_env],
)


@first_env.task(timeout=timedelta(minutes=5))  # --time=5
async def first() -> None:
    """Run say.py (first.sh:4)."""
    await run(sys.executable, "say.py", "first")


@side_env.task(timeout=timedelta(minutes=5))  # --time=5
async def side(arg1: str) -> None:
    """Run say.py (side.sh:4); arg1 was $1."""
    await run(sys.executable, "say.py", arg1)


@last_env.task(timeout=timedelta(minutes=5))  # --time=5
async def last() -> None:
    """Run say.py (last.sh:4)."""
    await run(sys.executable, "say.py", "last")


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    first_job = asyncio.create_task(after(first))
    # --dependency=afterok:$first
    side_job = asyncio.create_task(
        after(
            partial(
                side.override(resources=flyte.Resources(memory="2Gi")),  # --mem=2G
                arg1="left",
            ),
            ok=[first_job],
        )
    )
    # --dependency=afterok:$first
    side_job_2 = asyncio.create_task(after(partial(side, arg1="right"), ok=[first_job]))
    # --dependency=afterany:$left:$right
    last_job = asyncio.create_task(after(last, any=[side_job, side_job_2]))
    results = await asyncio.gather(
        first_job, side_job, side_job_2, last_job, return_exceptions=True
    )
    all_ok(results)


class NeverRan(Exception):
    """The job that waited for others can no longer run."""


async def after(
    job: Callable[..., Awaitable[T]],
    *inputs: Any,
    ok: Sequence[asyncio.Task[Any]] = (),
    any: Sequence[asyncio.Task[Any]] = (),
    not_ok: Sequence[asyncio.Task[Any]] = (),
) -> T:
    """Run a job when its --dependency is met; inputs may be jobs, for their results.

    A job that can no longer run never does, nor does any that waits for it.
    """
    earlier = [*ok, *any, *not_ok]
    if earlier:
        await asyncio.wait(earlier)
    for each in earlier:
        error = each.exception()
        unmet = (error and each in ok) or (not error and each in not_ok)
        if unmet or isinstance(error, NeverRan):
            task = getattr(job, "func", job)  # of a partial
            name = getattr(job, "name", None) or getattr(task, "name", "job")
            message = f"{name} never runs: dependency not met"
            print(message, file=sys.stderr)
            raise NeverRan(message)
    return await job(
        *(each.result() if isinstance(each, asyncio.Task) else each for each in inputs)
    )


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs that ran returned; if one of them failed, fail."""
    errors = [r for r in results if isinstance(r, BaseException)]
    failures = [error for error in errors if not isinstance(error, NeverRan)]
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
# slurm2flyte: generated from submit.sh, sha256 of the text above: 7483fc319374
