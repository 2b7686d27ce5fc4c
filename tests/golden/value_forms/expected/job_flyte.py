"""Run job.sh.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py align     # this machine, no cluster
    flyte run job_flyte.py align             # the cluster
    flyte deploy job_flyte.py                # register the task
"""

import asyncio
import glob
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

align_env = flyte.TaskEnvironment(
    name="align",  # --job-name=align
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=4),  # --cpus-per-task=4
    include=(
        "align",
        "index",
        "samples.csv",
        "report",
        "reports/merge",
        "settings.env",
        "reads/*.fq",
    ),
)

# job.sh:7, as it was, after line 6
ALIGN = r"""
set -a
source settings.env
"""


@align_env.task
async def align() -> None:
    """Run the job script (job.sh:5-23)."""
    started = int(time.time())
    start = int(time.time()) - started
    exported: dict[str, str] = {}
    await bash_state(ALIGN, "job.sh", check=False, exported=exported)
    reads = matches("reads/*.fq")
    for i in range(len(reads)):
        # REVIEW S2F410: no `set -e`: when this fails (job.sh:12), the job goes on, and
        # its last command decides. check=True would end it here.
        with (HERE / f"aligned.{i}.txt").open("wb") as stdout:
            await run("./align", reads[i], stdout=stdout, env=exported, check=False)
    for file in text_lines(
        await capture("ls", *matches("aligned.*.txt"), env=exported)
    ):
        await run("./index", file, env=exported, check=False)
    for line in read_lines(HERE / "samples.csv", blanks=True):
        sample, group, rest = fields(line, 3, ",")
        await run(
            "./report",
            "--sample",
            sample,
            "--group",
            group,
            "--rest",
            rest,
            env=exported,
            check=False,
        )
    await run("./merge", cwd=HERE / "reports", env=exported, check=False)
    print(f"took {int((int(time.time()) - started - start) / 60)} minutes", flush=True)


def read_lines(path: Path, blanks: bool = False) -> list[str]:
    """Give the lines of a file as `while read` does: whole ones, without blanks around."""
    try:
        text = path.read_text(errors="surrogateescape")
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return []
    *lines, _ = text.split("\n")
    return lines if blanks else [line.strip(" \t") for line in lines]


def text_lines(text: str) -> list[str]:
    """Give the lines of a text as `while read` does: without blanks around."""
    return [line.strip(" \t") for line in text.split("\n")] if text else []


def fields(line: str, count: int, separator: str = "") -> list[str]:
    """Part a line into so many words, as `read` does: the last is what is left."""
    if separator:
        words = line.split(separator, count - 1)
        if words[-1].find(separator) == len(words[-1]) - 1:  # it ends there
            words[-1] = words[-1].removesuffix(separator)
    else:
        words = re.split(r"[ \t]+", line, maxsplit=count - 1)
    return words + [""] * (count - len(words))


async def run(
    *command: str | float | Path,
    cwd: Path = HERE,
    stdout: IO[bytes] | None = None,
    env: Mapping[str, str],
    check: bool = True,
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            env={**os.environ, **env},
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


async def capture(*command: str | float | Path, env: Mapping[str, str]) -> str:
    """Run one command of the job script; return what it prints, as $( ) does."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=HERE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **env},
            stdout=subprocess.PIPE,
        )
        printed, _ = await process.communicate()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        printed = b""
    return os.fsdecode(printed.replace(b"\0", b"")).rstrip("\n")


async def bash_state(
    script: str, *argv: str, exported: dict[str, str], check: bool = True
) -> list[str] | None:
    """Run a piece of the job script; return what these hold after it, None if it ends there."""
    with tempfile.NamedTemporaryFile() as values:
        shown = "printf '\\0'; /usr/bin/env -0"
        tail = "\nset -- $?; { " + shown + "; } >" + values.name + "; exit $1"
        process = await asyncio.create_subprocess_exec(
            "/bin/bash",
            "-c",
            script + tail,
            *argv,
            cwd=HERE,
            stdin=subprocess.DEVNULL,
        )
        code = await process.wait()
        held = os.fsdecode(values.read()).split("\0")[:-1]
    if code and (check or not held):
        raise subprocess.CalledProcessError(code, argv)
    if held:  # what programs see now
        seen = dict(each.split("=", 1) for each in held[1:])
        before = {**os.environ, **exported}
        for name in (before.keys() | seen.keys()) - {"_", "PWD", "OLDPWD", "SHLVL"}:
            if name in seen and before.get(name) != seen[name]:
                exported[name] = seen[name]
            elif name not in seen and name.isidentifier():
                exported.pop(name, None)
                os.environ.pop(name, None)
    return held or None


def matches(pattern: str, cwd: Path = HERE) -> list[str]:
    """Find the files that a shell's pattern means; none if there are none (nullglob)."""
    return sorted(glob.glob(pattern, root_dir=cwd))


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(align).url)
# slurm2flyte: generated from job.sh, sha256 of the text above: 1cfbc54b3a08
