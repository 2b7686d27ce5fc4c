"""Run shard.py.

Migrated from shard.sh. What used to be "sbatch shard.sh" is now:

    flyte run --local shard_flyte.py shard --shard SHARD     # this machine, no cluster
    flyte run shard_flyte.py shard --shard SHARD             # the cluster
    flyte deploy shard_flyte.py                              # register the task
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

shard_env = flyte.TaskEnvironment(
    name="shard",  # -J shard
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
)


@shard_env.task
async def shard(shard: int) -> File | None:
    """Run shard.py (shard.sh:3); shard was $SLURM_ARRAY_TASK_ID."""
    variables = {"SLURM_ARRAY_TASK_ID": str(shard)}
    with (HERE / f"out_{shard}.txt").open("wb") as stdout:
        await run(
            sys.executable,
            "shard.py",
            "--shard",
            shard,
            stdout=stdout,
            env=variables,
        )
    return await keep(HERE / f"out_{shard}.txt")


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
    print("See: flyte run shard_flyte.py shard --help")
# slurm2flyte: generated from shard.sh, sha256 of the text above: cf2664f1e302
