"""Run work.py.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py job --name NAME     # this machine, no cluster
    flyte run job_flyte.py job --name NAME             # the cluster
    flyte deploy job_flyte.py                          # register the task
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

job_env = flyte.TaskEnvironment(
    name="job",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="2Gi"),  # --mem=2G
    include=("work.py",),
)


@job_env.task(timeout=timedelta(minutes=5))  # --time=5
async def job(name: str) -> None:
    """Run work.py (job.sh:4); name was $1."""
    await run(sys.executable, "work.py", "--name", name)


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
    print("See: flyte run job_flyte.py job --help")
# slurm2flyte: generated from job.sh, sha256 of the text above: 565c536b9df4
