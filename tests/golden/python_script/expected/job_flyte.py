"""Run job.py.

Migrated from job.py. What used to be "sbatch job.py" is now:

    flyte run --local job_flyte.py inline     # this machine, no cluster
    flyte run job_flyte.py inline             # the cluster
    flyte deploy job_flyte.py                 # register the task
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

inline_env = flyte.TaskEnvironment(
    name="inline",  # --job-name=inline
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=2, memory="3Gi"),  # --cpus-per-task=2 --mem=3G
    include=("job.py",),
)


@inline_env.task(timeout=timedelta(minutes=20))  # --time=20
async def inline() -> None:
    """Run job.py (job.py:6-10)."""
    variables = {"SLURM_CPUS_PER_TASK": "2"}  # --cpus-per-task=2
    await run(sys.executable, "job.py", env=variables)


async def run(*command: str | float | Path, env: Mapping[str, str]) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **env}
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(inline).url)
# slurm2flyte: generated from job.py, sha256 of the text above: 5e085950eca1
