"""Run report.py.

Migrated from report.sh. What used to be "sbatch report.sh" is now:

    flyte run --local report_flyte.py report --dataset DATASET
    flyte run report_flyte.py report --dataset DATASET
    flyte deploy report_flyte.py
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

report_env = flyte.TaskEnvironment(
    name="report",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="2Gi"),  # --mem=2G
    include=("report.py",),
)


@report_env.task(timeout=timedelta(minutes=15))  # --time=15
async def report(dataset: str, format: str = "pdf") -> None:
    """Run report.py (report.sh:6); dataset was $1, format was ${2:-pdf}."""
    # usage: sbatch report.sh DATASET [FORMAT]
    await run(
        sys.executable,
        "report.py",
        "--dataset",
        dataset,
        "--format",
        format,
        "--verbose",
    )


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
    print("See: flyte run report_flyte.py report --help")
# slurm2flyte: generated from report.sh, sha256 of the text above: 56a2b69d8b4c
