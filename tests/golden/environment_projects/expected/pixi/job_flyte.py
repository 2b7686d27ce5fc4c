"""Run job.py.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py pixi     # this machine, no cluster
    flyte run job_flyte.py pixi             # the cluster
    flyte deploy job_flyte.py               # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F502: pixi.toml stands for what the cluster's Python has.
image = flyte.Image.from_debian_base(
    python_version=(3, 12)  # default: none named
).with_pixi_project(HERE / "pixi.toml")

pixi_env = flyte.TaskEnvironment(
    name="pixi",  # --job-name=pixi
    image=image,
    include=("job.py",),
)


@pixi_env.task
async def pixi() -> None:
    """Run job.py (job.sh:3)."""
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
    print(flyte.run(pixi).url)
# slurm2flyte: generated from job.sh, sha256 of the text above: 32a0991f76d1
