"""Run report.py.

Migrated from report.sh. What used to be "sbatch report.sh" is now:

    flyte run --local report_flyte.py report --about ABOUT --table TABLE
    flyte run report_flyte.py report --about ABOUT --table TABLE
    flyte deploy report_flyte.py
"""

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import flyte
from flyte.io import Dir, File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F601: report.sh:7 /scratch/lab/cache: what is read or written there must
# become an input, an output or a mounted volume (pod_template="...").
report_env = flyte.TaskEnvironment(
    name="report",  # --job-name=report
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="4Gi"),  # --mem=4G
    include=("report.py",),
)


@report_env.task
async def report(about: File, table: File) -> Dir:
    """Run report.py (report.sh:5-9)."""
    report_path = scratch("report")  # was /scratch/lab/report
    about_path = await fetch(about)  # was /project/lab/about.txt
    table_path = await fetch(table)  # was /project/lab/table.csv
    # What was measured, and what it means.
    # REVIEW S2F410: no `set -e`: when this fails (report.sh:5), the job goes on, and
    # its last command decides. check=True would end it here.
    await run("mkdir", "-p", report_path, check=False)
    await run("cat", about_path, check=False)
    await run(
        sys.executable,
        "report.py",
        "--table",
        table_path,
        f"--out={report_path}",
        "--cache",
        "/scratch/lab/cache",
        check=False,
    )
    print("report made", flush=True)
    await run("ls", report_path, stdout=subprocess.DEVNULL)
    return await Dir.from_local(str(report_path))


async def fetch(data: File | Dir) -> Path:
    """Download an input; in a local run it is there already."""
    return Path(await data.download()).resolve()


def scratch(name: str) -> Path:
    """Make an empty directory of this task's own, in place of a shared one."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


async def run(
    *command: str | float | Path,
    stdout: IO[bytes] | int | None = None,
    check: bool = True,
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout
        )
        code = await process.wait()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
    if code < 0:  # ended by a signal, which a shell counts from 128 on
        code = 128 - code
    if check and code:
        raise subprocess.CalledProcessError(code, argv)
    return code


if __name__ == "__main__":
    flyte.init_from_config()
    print("See: flyte run report_flyte.py report --help")
# slurm2flyte: generated from report.sh, sha256 of the text above: d9f04165785a
