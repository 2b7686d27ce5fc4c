"""Run split.py, work.py and total.py.

Migrated from shards.sh. What used to be "sbatch shards.sh" is now:

    flyte run --local shards_flyte.py shards     # this machine, no cluster
    flyte run shards_flyte.py shards             # the cluster
    flyte deploy shards_flyte.py                 # register the task

Not carried over:

- shards.sh:9 squeue: flyte get run shows the state of a run
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

shards_env = flyte.TaskEnvironment(
    name="shards",  # --job-name=shards
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(
        cpu=6,  # --cpus-per-task=2 x 3 tasks
        memory="6Gi",  # --mem=6G
    ),
    include=("split.py", "work.py", "total.py", "scaling.py"),
)


@shards_env.task(timeout=timedelta(minutes=30))  # --time=30:00
async def shards(parts: int = 3, scale: int = 2) -> list[File]:
    """Run split.py, work.py and total.py (shards.sh:10-13)."""
    variables = {
        "SLURM_NTASKS": "3",  # --ntasks
        "SLURM_PROCID": "0",  # always
    }
    await run("hostname", stdout=subprocess.DEVNULL, env=variables)
    await run("nice", sys.executable, "split.py", "--parts", parts, env=variables)
    highest(
        await asyncio.gather(
            *(
                run(
                    sys.executable,
                    "work.py",
                    "--scale",
                    scale,
                    env={**variables, **rank(procid, 3)},
                    check=False,
                )
                for procid in range(3)
            )
        )
    )
    with (HERE / "total.txt").open("wb") as stdout:
        await run(
            sys.executable,
            "total.py",
            stdout=stdout,
            stderr=subprocess.STDOUT,
            env=variables,
        )
    return await keep_all(
        *sorted(HERE.glob("part-*.txt")),
        *sorted(HERE.glob("done-*.txt")),
        HERE / "total.txt",
    )


def highest(codes: Sequence[int]) -> None:
    """Go by the highest status of several copies, as srun did: if it is not 0, fail."""
    if code := max(codes):
        message = f"one of {len(codes)} copies ended with {code}"
        raise RuntimeError(message)


async def keep_all(*paths: Path) -> list[File]:
    """Hand over the files that the job wrote."""
    return [await File.from_local(str(path)) for path in paths if path.is_file()]


async def run(
    *command: str | float | Path,
    stdout: IO[bytes] | int | None = None,
    stderr: IO[bytes] | int | None = None,
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
            stderr=stderr,
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


def rank(number: int, count: int) -> dict[str, str]:
    """Tell one of several copies which it is, as srun did."""
    return {
        "SLURM_PROCID": str(number),
        "SLURM_LOCALID": str(number),
        "SLURM_NODEID": "0",
        "SLURM_NTASKS": str(count),
        "SLURM_NPROCS": str(count),
        "SLURM_STEP_NUM_TASKS": str(count),
    }


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(shards).url)
# slurm2flyte: generated from shards.sh, sha256 of the text above: f82eb62ee1c7
