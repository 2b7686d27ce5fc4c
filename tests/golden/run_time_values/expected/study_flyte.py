"""Run study.py.

Migrated from study.sh. What used to be "sbatch study.sh" is now:

    flyte run --local study_flyte.py study     # this machine, no cluster
    flyte run study_flyte.py study             # the cluster
    flyte deploy study_flyte.py                # register the task
"""

import asyncio
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

study_env = flyte.TaskEnvironment(
    name="study",  # --job-name=study
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=4, memory="8Gi"),  # --cpus-per-task=4 --mem=8G
    include=("study.py",),
)


@study_env.task(timeout=timedelta(minutes=10))  # --time=10
async def study(set_: str = "small") -> File | None:
    """Run study.py (study.sh:6-15); set_ was ${1:-small}."""
    out = f"results_{run_name()}"
    log = f"{out}.{set_}.log"
    print(f"on {platform.node()} with  tasks and 4 CPUs", flush=True)
    exported = {"STUDY_OUT": out}  # study.sh:9
    # REVIEW S2F410: no `set -e`: when this fails (study.sh:11), the job goes on, and
    # its last command decides. check=True would end it here.
    with (HERE / log).open("wb") as stdout:
        await run(
            sys.executable,
            "study.py",
            "--set",
            set_,
            "--out",
            out,
            stdout=stdout,
            env=exported,
            check=False,
        )
    out = f"again_{run_name()}"
    exported["STUDY_OUT"] = out
    exported["STUDY_ROUND"] = "2"
    await run(
        sys.executable,
        "study.py",
        "--set",
        set_,
        "--out",
        out,
        env=exported,
        check=False,
    )
    return await keep(HERE / log)


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(
    *command: str | float | Path,
    stdout: IO[bytes] | None = None,
    env: Mapping[str, str],
    check: bool = True,
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=HERE,
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


def run_name() -> str:
    """Name this run, in place of Slurm's job id."""
    context = flyte.ctx()
    return (context and context.action.run_name) or "local"


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(study).url)
# slurm2flyte: generated from study.sh, sha256 of the text above: 62cb4e3f4f80
