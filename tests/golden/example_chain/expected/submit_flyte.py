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
async def count() -> File | None:
    """Run count.py (count.sh:7)."""
    await run(sys.executable, "count.py", "--text", "words.txt", "--out", "counts.json")
    return await keep(HERE / "counts.json")


@report_env.task(timeout=timedelta(minutes=5))  # --time=5
async def report(top: int = 3) -> None:
    """Run report.py (report.sh:6)."""
    await run(sys.executable, "report.py", "--counts", "counts.json", "--top", top)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    await count()
    await report()  # --dependency=afterok:"$count"


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
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 1d241440c502
