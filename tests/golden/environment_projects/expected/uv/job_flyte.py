"""Run job.py.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py uv     # this machine, no cluster
    flyte run job_flyte.py uv             # the cluster
    flyte deploy job_flyte.py             # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# job.sh:3 source ~/venvs/x/bin/activate
# REVIEW S2F502: ~/venvs/x was not there to be read; pyproject.toml with uv.lock stands
# for it.
image = flyte.Image.from_debian_base(
    python_version=(3, 12)  # default: none named
).with_uv_project(HERE / "pyproject.toml", uvlock=HERE / "uv.lock")

uv_env = flyte.TaskEnvironment(
    name="uv",  # --job-name=uv
    image=image,
    include=("job.py",),
)


@uv_env.task
async def uv() -> None:
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
    print(flyte.run(uv).url)
# slurm2flyte: generated from job.sh, sha256 of the text above: 8cfdf6e7cda6
