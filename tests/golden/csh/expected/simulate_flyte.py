"""Run simulate.csh.

Migrated from simulate.csh. What used to be "sbatch simulate.csh" is now:

    flyte run --local simulate_flyte.py simulate     # this machine, no cluster
    flyte run simulate_flyte.py simulate             # the cluster
    flyte deploy simulate_flyte.py                   # register the task
"""

import asyncio
import subprocess
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

simulate_env = flyte.TaskEnvironment(
    name="simulate",  # --job-name=simulate
    image=flyte.Image.from_debian_base(
        python_version=(3, 12)  # default: none named
    ).with_apt_packages("csh"),
    resources=flyte.Resources(cpu=4, memory="6Gi"),  # --cpus-per-task=4 --mem=6G
    include=("simulate.csh",),
)


@simulate_env.task(timeout=timedelta(hours=2))  # --time=2:00:00
async def simulate() -> None:
    """Run simulate.csh (simulate.csh:7-10)."""
    await run("csh", "-f", "simulate.csh")


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
    print(flyte.run(simulate).url)
# slurm2flyte: generated from simulate.csh, sha256 of the text above: 8f11db505f48
