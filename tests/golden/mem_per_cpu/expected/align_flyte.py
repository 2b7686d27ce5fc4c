"""Run align.py.

Migrated from align.sh. What used to be "sbatch align.sh" is now:

    flyte run --local align_flyte.py align     # this machine, no cluster
    flyte run align_flyte.py align             # the cluster
    flyte deploy align_flyte.py                # register the task
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

ALIGN_EXPORTED = {"OMP_NUM_THREADS": "6"}  # align.sh:11

align_env = flyte.TaskEnvironment(
    name="align",  # --job-name=align
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(
        cpu=6,  # --cpus-per-task=6
        memory="9000Mi",  # --mem-per-cpu=1500M x 6 CPUs
        disk="20Gi",  # --tmp=20G
    ),
    queue="normal",  # REVIEW S2F210: --qos=normal; your deployment needs that queue
    env_vars=ALIGN_EXPORTED,
    include=("align.py", "reads.txt"),
)


@align_env.task(timeout=timedelta(minutes=90))  # --time=90
async def align() -> File | None:
    """Run align.py (align.sh:11-12)."""
    with (HERE / "aligned.txt").open("wb") as stdout:
        await run(
            sys.executable,
            "align.py",
            "reads.txt",
            stdout=stdout,
            env=ALIGN_EXPORTED,  # a local run does not apply env_vars
        )
    return await keep(HERE / "aligned.txt")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(
    *command: str | float | Path, stdout: IO[bytes], env: Mapping[str, str]
) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv,
        cwd=HERE,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        env={**os.environ, **env},
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    # --account=genomics
    runner = flyte.with_runcontext(labels={"slurm-account": "genomics"})
    print(runner.run(align).url)
# slurm2flyte: generated from align.sh, sha256 of the text above: beff3d99820c
