"""Run bwa and samtools.

Migrated from pipeline.sh. What used to be "sbatch pipeline.sh" is now:

    flyte run --local pipeline_flyte.py pipeline     # this machine, no cluster
    flyte run pipeline_flyte.py pipeline             # the cluster
    flyte deploy pipeline_flyte.py                   # register the task
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F511: nothing brings bwa, samtools into the image; use one that has them, or
# .with_apt_packages(...).
image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

pipeline_env = flyte.TaskEnvironment(
    name="pipeline",  # --job-name=pipeline
    image=image,
    resources=flyte.Resources(cpu=4),  # --cpus-per-task=4
)


@pipeline_env.task(timeout=timedelta(hours=2))  # --time=02:00:00
async def pipeline() -> File | None:
    """Run bwa and samtools (pipeline.sh:6-43)."""
    # REVIEW S2F410: no `set -e`: when this fails (pipeline.sh:7), the job goes on, and
    # its last command decides. check=True would end it here.
    await run("mkdir", "-p", "results", check=False)

    async def die(arg1: str) -> None:  # pipeline.sh:11-16
        print(f"ERROR: {arg1}", file=sys.stderr, flush=True)
        print(f"[pipeline] giving up: {arg1}", flush=True)
        with (HERE / "failed.txt").open("wb") as stdout:
            await run("echo", arg1, stdout=stdout, check=False)
        raise subprocess.CalledProcessError(2, "pipeline.sh")

    if not (HERE / "ref.fa").is_file():
        await die("no reference")

    # Aligns one sample.
    # Its status is that of the last program.
    async def align(sample: str, threads: str) -> int:  # pipeline.sh:20-31
        if not (HERE / f"{sample}.fq").is_file():
            print(f"[pipeline] no reads of {sample}", flush=True)
            return 3
        print(f"[pipeline] aligning {sample}", flush=True)
        # as text
        with (HERE / f"results/{sample}.sam").open("wb") as stdout:
            await run(
                "bwa",
                "mem",
                "-t",
                threads,
                "ref.fa",
                f"{sample}.fq",
                stdout=stdout,
                check=False,
            )
        if await run(
            "samtools",
            "sort",
            "-@",
            threads,
            "-o",
            f"results/{sample}.bam",
            f"results/{sample}.sam",
            check=False,
        ):
            return 4
        return await run("rm", "-f", f"results/{sample}.sam", check=False)

    status = await align("one", "4")
    status_ = str(status)
    print(f"one ended with {status_}", flush=True)
    if await align("two", "4"):
        print("[pipeline] two failed", flush=True)
    for sample in ("three", "four"):
        if await align(sample, "4"):
            await die(sample)
    status = await align("last", "1")
    if status:
        raise subprocess.CalledProcessError(status, "pipeline.sh")
    return await keep(HERE / "failed.txt")


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(
    *command: str | float | Path, stdout: IO[bytes] | None = None, check: bool = True
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
    print(flyte.run(pipeline).url)
# slurm2flyte: generated from pipeline.sh, sha256 of the text above: cab660d01576
