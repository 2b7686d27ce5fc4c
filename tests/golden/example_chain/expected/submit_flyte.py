"""Run count.sh and report.sh.

Migrated from submit.sh, which submits count.sh and report.sh. What used to be "bash
submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

count_env = flyte.TaskEnvironment(
    name="count",  # --job-name=count
    image=image,
    resources=flyte.Resources(cpu=2, memory="2Gi"),  # --cpus-per-task=2 --mem=2G
    include=("count.py", "words.txt"),
)

report_env = flyte.TaskEnvironment(
    name="report",  # --job-name=report
    image=image,
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
    include=("report.py",),
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[count_env, report_env],
)


@count_env.task(timeout=timedelta(minutes=10))  # --time=00:10:00
async def count() -> File:
    """Run count.py (count.sh:7)."""
    await run(sys.executable, "count.py", "--text", "words.txt", "--out", "counts.json")
    return await File.from_local(str(HERE / "counts.json"))


@report_env.task(timeout=timedelta(minutes=5))  # --time=5
async def report(counts: File, top: int = 3) -> None:
    """Run report.py (report.sh:6)."""
    counts_path = await fetch(counts)  # was counts.json
    await run(sys.executable, "report.py", "--counts", counts_path, "--top", top)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    counts = await count()
    await report(counts=counts)  # --dependency=afterok:"$count"


async def fetch(data: File) -> Path:
    """Download an input; in a local run it is there already."""
    return Path(await data.download()).resolve()


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
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 2a10aa35bbfa
