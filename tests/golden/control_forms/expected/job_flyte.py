"""Run show.py.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py forms --arg1 ARG1     # this machine, no cluster
    flyte run job_flyte.py forms --arg1 ARG1             # the cluster
    flyte deploy job_flyte.py                            # register the task

Not carried over:

- job.sh:3 `source /opt/site/setup.sh`: the image must have what it sets up
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

forms_env = flyte.TaskEnvironment(
    name="forms",  # --job-name=forms
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    include=("show.py",),
)


@forms_env.task
async def forms(arg1: str) -> File | None:
    """Run show.py (job.sh:4-30); arg1 was $1."""
    (HERE / "config.txt").write_text(f"mode = {arg1}\n")
    if arg1 == "fast" or arg1 == "quick":
        # REVIEW S2F410: no `set -e`: when this fails (job.sh:8), the job goes on, and
        # its last command decides. check=True would end it here.
        await run(sys.executable, "show.py", "--fast", check=False)
    elif arg1.endswith(".cfg"):
        await run(sys.executable, "show.py", arg1, check=False)
    else:
        print(f"no mode {arg1}", flush=True)
    lines = await capture("wc", "-l", stdin=HERE / "config.txt")
    for line in read_lines(HERE / "config.txt"):
        await run(sys.executable, "show.py", line, lines, check=False)
    for part in range(8):
        await run(sys.executable, "show.py", f"part {part}")
    while not (HERE / "done.txt").is_file():
        await run("touch", "done.txt", check=False)
    await run(sys.executable, "-", text='print("from the script")\n', check=False)
    status_ = "0"
    if status := await run(sys.executable, "show.py", "last", check=False):
        status_ = str(status)
    if int(status_) != 0:
        print(f"failed with {status_}", flush=True)
    if int(status_):
        raise subprocess.CalledProcessError(int(status_), "job.sh")
    return await keep(HERE / "config.txt")


def read_lines(path: Path) -> list[str]:
    """Give the lines of a file as `while read` does: whole ones, without blanks around."""
    try:
        text = path.read_text(errors="surrogateescape")
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return []
    *lines, _ = text.split("\n")
    return [line.strip(" \t") for line in lines]


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(*command: str | float | Path, text: str = "", check: bool = True) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.PIPE if text else subprocess.DEVNULL
        )
        await process.communicate(text.encode(errors="surrogateescape") or None)
        code = await process.wait()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
    if code < 0:  # ended by a signal, which a shell counts from 128 on
        code = 128 - code
    if check and code:
        raise subprocess.CalledProcessError(code, argv)
    return code


async def capture(*command: str | float | Path, stdin: Path) -> str:
    """Run one command of the job script; return what it prints, as $( ) does."""
    argv = [str(part) for part in command]
    try:
        with stdin.open("rb") as source:
            process = await asyncio.create_subprocess_exec(
                *argv, cwd=HERE, stdin=source, stdout=subprocess.PIPE
            )
        printed, _ = await process.communicate()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        printed = b""
    return os.fsdecode(printed.replace(b"\0", b"")).rstrip("\n")


if __name__ == "__main__":
    flyte.init_from_config()
    print("See: flyte run job_flyte.py forms --help")
# slurm2flyte: generated from job.sh, sha256 of the text above: d08f0b481b6e
