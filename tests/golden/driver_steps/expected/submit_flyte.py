"""Run submit.sh:3, work.sh and look.sh.

Migrated from submit.sh, which submits submit.sh:3, work.sh and look.sh. What used to be
"bash submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks

Not carried over:

- submit.sh:4 mkdir: each task has its own directories
"""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeVar

import flyte
from flyte.io import File

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

make_list_env = flyte.TaskEnvironment(
    name="make_list",
    image=image,
    include=("make_list.py",),
)

work_env = flyte.TaskEnvironment(
    name="work",
    image=image,
)

look_env = flyte.TaskEnvironment(
    name="look",
    image=image,
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[make_list_env, work_env, look_env],
)


@make_list_env.task
async def make_list(count: int = 3) -> File | None:
    """Run make_list.py (submit.sh:3)."""
    # REVIEW S2F410: no `set -e`: when this fails (submit.sh:3), the job goes on, and
    # its last command decides. check=True would end it here.
    with (HERE / "list.txt").open("wb") as stdout:
        await run(
            sys.executable,
            "make_list.py",
            "--count",
            count,
            stdout=stdout,
            check=False,
        )
    return await keep(HERE / "list.txt")


@work_env.task(timeout=timedelta(minutes=5))  # --time=5
async def work(arg1: str) -> None:
    """Run the job (work.sh:3); arg1 was $1."""
    print(f"work on {arg1}", flush=True)


@look_env.task(timeout=timedelta(minutes=5))  # --time=5
async def look(arg1: str) -> None:
    """Run the job (look.sh:3); arg1 was $1."""
    print(f"look at {arg1}", flush=True)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    # What the jobs read
    await make_list()
    jobs: list[asyncio.Task[Any]] = []
    for size in ("small", "large"):
        id_ = asyncio.create_task(after(partial(work, arg1=size)))
        jobs.append(id_)
        # --dependency=afterany:$id
        jobs.append(asyncio.create_task(after(partial(look, arg1=size), any=[id_])))
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


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(
    *command: str | float | Path, stdout: IO[bytes], check: bool = True
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


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 45ff7bb43fb1
