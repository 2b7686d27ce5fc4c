"""Run job.py.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py poetry     # this machine, no cluster
    flyte run job_flyte.py poetry             # the cluster
    flyte deploy job_flyte.py                 # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# job.sh:3 source ~/venvs/x/bin/activate
# REVIEW S2F502: ~/venvs/x was not there to be read; pyproject.toml with poetry.lock
# stands for it.
image = flyte.Image.from_debian_base(
    python_version=(3, 12)  # default: none named
).with_poetry_project(HERE / "pyproject.toml", poetry_lock=HERE / "poetry.lock")

poetry_env = flyte.TaskEnvironment(
    name="poetry",  # --job-name=poetry
    image=image,
    include=("job.py",),
)


@poetry_env.task
async def poetry() -> None:
    """Run job.py (job.sh:4)."""
    await run(sys.executable, "job.py")


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
    print(flyte.run(poetry).url)
# slurm2flyte: generated from job.sh, sha256 of the text above: e6f4d480103b
