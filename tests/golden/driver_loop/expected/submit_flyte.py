"""Run train.sh, submit.sh:10, report.sh, submit.sh:20 and publish.sh.

Migrated from submit.sh, which submits train.sh, submit.sh:10, report.sh, submit.sh:20
and publish.sh. What used to be "bash submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks

Not carried over:

- submit.sh:4 mkdir: each task has its own directories
- submit.sh:8 --job-name: Flyte names runs and keeps each task's log
"""

import asyncio
import platform
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

train_env = flyte.TaskEnvironment(
    name="train",
    image=image,
    include=("say.py",),
)

job_env = flyte.TaskEnvironment(
    name="job",
    image=image,
)

report_env = flyte.TaskEnvironment(
    name="report",
    image=image,
    include=("say.py",),
)

wrap_env = flyte.TaskEnvironment(
    name="wrap",
    image=image,
    include=("say.py",),
)

publish_env = flyte.TaskEnvironment(
    name="publish",
    image=image,
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[train_env, job_env, report_env, wrap_env, publish_env],
)


@train_env.task(timeout=timedelta(minutes=10))  # --time=10
async def train(arg1: str, arg2: str) -> None:
    """Run say.py (train.sh:3); arg1 was $1, arg2 was $2."""
    await run(sys.executable, "say.py", "train", arg1, arg2)


@job_env.task(timeout=timedelta(minutes=5))  # --time=5
async def job(lr: str, seed: str) -> None:
    """Run the job (submit.sh:13); lr was $lr, seed was $seed."""
    print(f"look at {lr}, {seed} on {platform.node()}", flush=True)


@report_env.task
async def report() -> None:
    """Run say.py (report.sh:2)."""
    await run(sys.executable, "say.py", "report")


@wrap_env.task(timeout=timedelta(minutes=1))  # --time=1
async def wrap() -> None:
    """Run say.py (submit.sh:20)."""
    await run(sys.executable, "say.py", "one", "seed")


@publish_env.task
async def publish() -> None:
    """Run the job (publish.sh)."""
    # REVIEW S2F323: publish.sh was not found; write what it did.
    raise FileNotFoundError("publish.sh was not there to be converted")


@main_env.task(entrypoint=True)
async def main(seeds: str = "2") -> None:
    """Run the jobs in their order (submit.sh)."""
    jobs: list[asyncio.Task[Any]] = []
    # Train every combination, then report; a check of each beside it.
    ids: list[asyncio.Task[Any]] = []
    for lr in ("0.1", "0.01"):
        for seed in range(1, int(seeds) + 1):
            id_ = asyncio.create_task(after(partial(train, arg1=lr, arg2=str(seed))))
            jobs.append(id_)
            ids.append(id_)
            # --dependency="afternotok:$id"
            jobs.append(
                asyncio.create_task(
                    after(partial(job, lr=lr, seed=str(seed)), not_ok=[id_])
                )
            )
    if int(seeds) > 1:
        # --dependency=afterok:$(IFS=:; echo "${ids[*]}")
        jobs.append(asyncio.create_task(after(report, ok=[*ids])))
    else:
        jobs.append(asyncio.create_task(after(wrap)))
    jobs.append(asyncio.create_task(after(publish)))
    results = await asyncio.gather(*jobs, return_exceptions=True)
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
# slurm2flyte: generated from submit.sh, sha256 of the text above: 1c2b21562328
