"""Run plot.py 40 times, at most 4 at a time.

Migrated from map.sh. What used to be "sbatch map.sh" is now:

    flyte run --local map_flyte.py main     # this machine, no cluster
    flyte run map_flyte.py main             # the cluster
    flyte deploy map_flyte.py               # register the tasks
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import flyte

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F501: map.sh:8 activated plots, which was not there to be read. If the job
# needs more packages, `pip freeze` it to requirements.txt and add
# .with_requirements(HERE / "requirements.txt").
# REVIEW S2F511: nothing brings julia, samtools into the image; use one that has them,
# or .with_apt_packages(...).
image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

map_job_env = flyte.TaskEnvironment(
    name="map",
    image=image,
    resources=flyte.Resources(memory="8Gi"),  # --mem=8G
)

main_env = flyte.TaskEnvironment(
    name="map-array",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[map_job_env],
)


@map_job_env.task(timeout=timedelta(hours=2))  # --time=2:00:00
async def map_job(index: int) -> None:
    """Run plot.py (map.sh:7-8); index was $SLURM_ARRAY_TASK_ID."""
    variables = {"SLURM_ARRAY_TASK_ID": str(index)}
    # The index is read by map.jl.
    # REVIEW S2F410: no `set -e`: when this fails (map.sh:7), the job goes on, and its
    # last command decides. check=True would end it here.
    await run("julia", "map.jl", env=variables, check=False)
    await run("samtools", "--version", env=variables)
    await run(sys.executable, "plot.py", "--out", "all.png", env=variables)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the whole array."""
    results = flyte.map.aio(
        map_job,
        range(1, 41),  # --array=1-40%4
        concurrency=4,  # --array=...%4
    )
    all_ok([r async for r in results])


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs returned; if one of them failed, fail."""
    failures = [r for r in results if isinstance(r, BaseException)]
    if failures:
        message = f"{len(failures)} of {len(results)} jobs failed"
        raise RuntimeError(message) from failures[0]
    return [r for r in results if not isinstance(r, BaseException)]


async def run(
    *command: str | float | Path, env: Mapping[str, str], check: bool = True
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **env}
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
# slurm2flyte: generated from map.sh, sha256 of the text above: 39f8905c9a4b
