"""Run call.sh, filter.sh and count.sh.

Migrated from submit.sh, which submits call.sh, filter.sh and count.sh. What used to be
"bash submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
"""

import asyncio
import glob
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeVar

import flyte
from flyte.io import File

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

call_env = flyte.TaskEnvironment(
    name="call",
    image=image,
)

filter_job_env = flyte.TaskEnvironment(
    name="filter",
    image=image,
)

count_env = flyte.TaskEnvironment(
    name="count",
    image=image,
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    include=("samples.txt",),
    depends_on=[call_env, filter_job_env, count_env],
)


@call_env.task
async def call(index: int, sample: str) -> File | None:
    """Run the job (call.sh:4); index was $SLURM_ARRAY_TASK_ID, sample is a line of
    samples.txt.
    """
    with (HERE / f"calls_{index}.txt").open("wb") as stdout:
        await run("echo", f"{sample} called", stdout=stdout)
    return await keep(HERE / f"calls_{index}.txt")


@filter_job_env.task
async def filter_job(index: int, call_files: list[File]) -> File | None:
    """Run grep (filter.sh:3); index was $SLURM_ARRAY_TASK_ID."""
    await fetch_all(call_files, HERE)  # written by call.sh
    with (HERE / f"kept_{index}.txt").open("wb") as stdout:
        await run("grep", "called", f"calls_{index}.txt", stdout=stdout)
    return await keep(HERE / f"kept_{index}.txt")


@count_env.task
async def count(call_files: list[File]) -> None:
    """Run the job (count.sh:2)."""
    await fetch_all(call_files, HERE)  # written by call.sh
    await pipe(["cat", *expand("calls_*.txt")], ["wc", "-l"])


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    indices = range(1, 4)  # --array=1-3
    call_jobs = [
        asyncio.create_task(after(partial(call, index=index, sample=sample)))
        for index, sample in zip(
            indices,
            lines_of(HERE / "samples.txt", indices),  # call.sh:3
            strict=True,
        )
    ]
    # --dependency=aftercorr:$CALLS
    filter_job_jobs = [
        asyncio.create_task(after(partial(filter_job, index), [earlier], ok=[earlier]))
        for index, earlier in zip(
            range(1, 4),  # --array=1-3
            call_jobs,
            strict=True,
        )
    ]
    # --dependency=afterok:$CALLS
    count_job = asyncio.create_task(after(count, call_jobs, ok=[*call_jobs]))
    results = await asyncio.gather(
        count_job, *call_jobs, *filter_job_jobs, return_exceptions=True
    )
    all_ok(results)


def lines_of(path: Path, numbers: Iterable[int]) -> list[str]:
    """Give the lines of a file with these numbers, from 1 on; "" where there is none."""
    *lines, last = path.read_bytes().decode().split("\n")
    if last:  # without a newline
        lines.append(last)
    return [lines[n - 1] if 0 < n <= len(lines) else "" for n in numbers]


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
    return await job(*(result_of(each) for each in inputs))


def result_of(job: Any) -> Any:
    """Give what a job returned, or those of a list, where they returned anything."""
    if isinstance(job, list):
        return [r for each in job if (r := each.result()) is not None]
    return job.result() if isinstance(job, asyncio.Task) else job


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs that ran returned; if one of them failed, fail."""
    errors = [r for r in results if isinstance(r, BaseException)]
    failures = [error for error in errors if not isinstance(error, NeverRan)]
    if failures:
        message = f"{len(failures)} of {len(results)} jobs failed"
        raise RuntimeError(message) from failures[0]
    return [r for r in results if not isinstance(r, BaseException)]


async def fetch_all(files: Sequence[File], directory: Path) -> Path:
    """Download what other jobs wrote into one directory, each under its own name."""
    directory.mkdir(parents=True, exist_ok=True)
    for file in files:
        await file.download(directory / Path(file.path).name)
    return directory


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(*command: str | float | Path, stdout: IO[bytes]) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


async def pipe(*commands: Sequence[str | float | Path], check: bool = True) -> int:
    """Run commands, the output of each the input of the next, as a pipeline does."""
    source: int = subprocess.DEVNULL
    running: list[asyncio.subprocess.Process | int] = []
    for number, command in enumerate(commands):
        argv = [str(part) for part in command]
        last = number + 1 == len(commands)
        following, filled = (subprocess.DEVNULL, -1) if last else os.pipe()
        sink = None if last else filled
        try:
            process = await asyncio.create_subprocess_exec(
                *argv, cwd=HERE, stdin=source, stdout=sink
            )
            running.append(process)
        except OSError as error:
            print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
            running.append(127 if isinstance(error, FileNotFoundError) else 126)
        for end in (source, filled):
            if end >= 0:
                os.close(end)
        source = following
    codes = [each if isinstance(each, int) else await each.wait() for each in running]
    # Ended by a signal, which a shell counts from 128 on.
    codes = [128 - code if code < 0 else code for code in codes]
    code = codes[-1]
    if check and code:
        raise subprocess.CalledProcessError(code, [str(part) for part in commands[-1]])
    return code


def expand(pattern: str, cwd: Path = HERE) -> list[str]:
    """Find the files that a shell's pattern means; the pattern itself if there are none."""
    return sorted(glob.glob(pattern, root_dir=cwd)) or [pattern]


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 933b857f8c9b
