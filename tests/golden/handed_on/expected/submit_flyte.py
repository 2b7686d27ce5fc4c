"""Run split.sh, left.sh, right.sh and add.sh.

Migrated from submit.sh, which submits split.sh, left.sh, right.sh and add.sh. What used
to be "bash submit.sh" is now:

    flyte run --local submit_flyte.py main --text TEXT     # this machine, no cluster
    flyte run submit_flyte.py main --text TEXT             # the cluster
    flyte deploy submit_flyte.py                           # register the tasks
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import flyte
from flyte.io import File

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

split_env = flyte.TaskEnvironment(
    name="split",  # --job-name=split
    image=image,
    include=("split.py",),
)

left_env = flyte.TaskEnvironment(
    name="left",  # --job-name=left
    image=image,
    include=("count.py",),
)

right_env = flyte.TaskEnvironment(
    name="right",  # --job-name=right
    image=image,
    include=("count.py",),
)

add_env = flyte.TaskEnvironment(
    name="add",  # --job-name=add
    image=image,
    include=("add.py",),
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[split_env, left_env, right_env, add_env],
)


@split_env.task
async def split(text: File) -> File:
    """Run split.py (split.sh:4)."""
    text_path = await fetch(text)  # was /project/lab/text.txt
    words = scratch("split") / "words.txt"  # was /scratch/lab/words.txt
    await run(sys.executable, "split.py", "--text", text_path, "--out", words)
    return await File.from_local(str(words))


@left_env.task
async def left(words: File) -> File:
    """Run count.py (left.sh:4)."""
    words_path = await fetch(words)  # was /scratch/lab/words.txt
    await run(sys.executable, "count.py", "--words", words_path, "--out", "left.txt")
    return await File.from_local(str(HERE / "left.txt"))


@right_env.task
async def right(words: File) -> File:
    """Run count.py (right.sh:4)."""
    words_path = await fetch(words)  # was /scratch/lab/words.txt
    await run(sys.executable, "count.py", "--words", words_path, "--out", "right.txt")
    return await File.from_local(str(HERE / "right.txt"))


@add_env.task
async def add(left_txt: File, right_txt: File) -> None:
    """Run add.py (add.sh:4)."""
    left_txt_path = await fetch(left_txt)  # was left.txt
    right_txt_path = await fetch(right_txt)  # was right.txt
    await run(sys.executable, "add.py", left_txt_path, right_txt_path)


@main_env.task(entrypoint=True)
async def main(text: File) -> None:
    """Run the jobs in their order (submit.sh)."""
    # Split the words, count both halves side by side, then add up.
    split_job = asyncio.create_task(after(partial(split, text=text)))
    # --dependency=afterok:$split
    left_job = asyncio.create_task(after(left, split_job, ok=[split_job]))
    # --dependency=afterok:$split
    right_job = asyncio.create_task(after(right, split_job, ok=[split_job]))
    # --dependency=afterok:$left:$right
    add_job = asyncio.create_task(
        after(add, left_job, right_job, ok=[left_job, right_job])
    )
    results = await asyncio.gather(
        split_job, left_job, right_job, add_job, return_exceptions=True
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


async def fetch(data: File) -> Path:
    """Download an input; in a local run it is there already."""
    return Path(await data.download()).resolve()


def scratch(name: str) -> Path:
    """Make an empty directory of this task's own, in place of a shared one."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


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
    print("See: flyte run submit_flyte.py main --help")
# slurm2flyte: generated from submit.sh, sha256 of the text above: e66337c515bd
