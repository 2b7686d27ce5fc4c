"""Run prepare.py and work.py.

Migrated from steps.sh. What used to be "sbatch steps.sh" is now:

    flyte run --local steps_flyte.py steps     # this machine, no cluster
    flyte run steps_flyte.py steps             # the cluster
    flyte deploy steps_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

steps_env = flyte.TaskEnvironment(
    name="steps",  # --job-name=steps
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=4, memory="8Gi"),  # --cpus-per-task=4 --mem=8G
    include=("prepare.py", "work.py"),
)


@steps_env.task(timeout=timedelta(minutes=30))  # --time=30:00
async def steps() -> File | None:
    """Run prepare.py and work.py (steps.sh:8-10)."""
    await run(sys.executable, "prepare.py")
    await run(sys.executable, "work.py")
    print("done with steps", flush=True)
    return await keep(HERE / "prepared.txt")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


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
    print(flyte.run(steps).url)
# slurm2flyte: generated from steps.sh, sha256 of the text above: b41a511a515a
