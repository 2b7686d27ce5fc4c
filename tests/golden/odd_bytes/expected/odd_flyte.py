"""Run python.

Migrated from odd.sh. What used to be "sbatch odd.sh" is now:

    flyte run --local odd_flyte.py caf_xx     # this machine, no cluster
    flyte run odd_flyte.py caf_xx             # the cluster
    flyte deploy odd_flyte.py                 # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

caf_xx_env = flyte.TaskEnvironment(
    name="caf-xx",  # --job-name="café \u202exx"
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
)


@caf_xx_env.task
async def caf_xx() -> None:
    """Run python (odd.sh:4-5)."""
    print('tab\\there """ €', flush=True)
    await run(sys.executable, "-c", 'print("""q""")')


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
    print(flyte.run(caf_xx).url)
# slurm2flyte: generated from odd.sh, sha256 of the text above: c6bfa23971a7
