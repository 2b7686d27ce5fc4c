"""Run samtools.

Migrated from modules.sh. What used to be "sbatch modules.sh" is now:

    flyte run --local modules_flyte.py modules     # this machine, no cluster
    flyte run modules_flyte.py modules             # the cluster
    flyte deploy modules_flyte.py                  # register the task

Not carried over:

- modules.sh:8 module list 2>&1 | head: only shows what is installed
"""

import asyncio
import subprocess
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# modules.sh:5 module load gcc/12.2 cuda/12.1: gcc/12.2: Compilers are needed to build,
# not to run. cuda/12.1: Python packages for GPUs bring their own CUDA.
# modules.sh:6 ml -x +python/3.11
# REVIEW S2F503: modules.sh:7 ml SAMtools/1.17 bio/BWA: Debian's package, in Debian's
# version.
# modules.sh:8 module swap openmpi mpich
# REVIEW S2F501: modules.sh:10 read ~/.bashrc, which was not there to be read.
# REVIEW S2F503: modules.sh:12 module load hdf5: Debian's package, in Debian's version.
image = flyte.Image.from_debian_base(
    python_version=(3, 11)  # python/3.11
).with_apt_packages("samtools", "bwa", "hdf5-tools")

modules_env = flyte.TaskEnvironment(
    name="modules",  # --job-name=modules
    image=image,
)


@modules_env.task(timeout=timedelta(minutes=30))  # --time=30
async def modules() -> None:
    """Run samtools (modules.sh:14)."""
    await run("samtools", "--version")


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
    print(flyte.run(modules).url)
# slurm2flyte: generated from modules.sh, sha256 of the text above: 58bbea5079a6
