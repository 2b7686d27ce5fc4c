"""Run job.py.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py conda     # this machine, no cluster
    flyte run job_flyte.py conda             # the cluster
    flyte deploy job_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# job.sh:3 conda activate fold
# REVIEW S2F502: fold was not there to be read; environment.yml stands for it.
# REVIEW S2F509: environment.yml lists samtools=1.17, some-tool: what is needed of it
# must be in the image.
image = (
    flyte.Image.from_debian_base(
        python_version=(3, 11)  # python 3.11.4 in environment.yml
    )
    .with_apt_packages("samtools")
    .with_pip_packages("numpy==1.26.*", "scipy>=1.10", "torch==2.1.0")
    .with_pip_packages("einops==0.7.0", "torchmetrics>=1")
)

conda_env = flyte.TaskEnvironment(
    name="conda",  # --job-name=conda
    image=image,
    include=("job.py",),
)


@conda_env.task
async def conda() -> None:
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
    print(flyte.run(conda).url)
# slurm2flyte: generated from job.sh, sha256 of the text above: 4d19f0873119
