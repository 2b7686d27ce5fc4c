"""Run sample.sh, spread.sh and note.sh.

Migrated from submit.sh, which submits sample.sh, spread.sh and note.sh. What used to be
"bash submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import IO, TypeVar

import flyte
from flyte.io import File

T = TypeVar("T")

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

sample_env = flyte.TaskEnvironment(
    name="sample",
    image=image,
    include=("sample.py",),
)

spread_env = flyte.TaskEnvironment(
    name="spread",
    image=image,
    include=("spread.py",),
)

note_env = flyte.TaskEnvironment(
    name="note",
    image=image,
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[sample_env, spread_env, note_env],
)

# note.sh:3-5, as it was
NOTE = r"""
while read -r name value; do
  echo "${name^^} is $value"
done < "$SLURM_SUBMIT_DIR/spread.txt"
"""


@sample_env.task(timeout=timedelta(minutes=5))  # --time=5
async def sample(leave: int) -> File | None:
    """Run sample.py (sample.sh:5); leave was $SLURM_ARRAY_TASK_ID."""
    # was /scratch/$USER/samples/s$SLURM_ARRAY_TASK_ID.txt
    out = scratch("sample") / f"s{leave}.txt"
    await run(sys.executable, "sample.py", "--leave", leave, "--out", out)
    return await keep(out)


@spread_env.task(timeout=timedelta(minutes=5))  # --time=5
async def spread(samples_files: list[File]) -> File | None:
    """Run spread.py (spread.sh:3)."""
    # was /scratch/$USER/samples
    samples_files_path = await fetch_all(samples_files, scratch("samples"))
    with (HERE / "spread.txt").open("wb") as stdout:
        await run(
            sys.executable, "spread.py", "--samples", samples_files_path, stdout=stdout
        )
    return await keep(HERE / "spread.txt")


@note_env.task(timeout=timedelta(minutes=5))  # --time=5
async def note(spread_file: File | None) -> None:
    """Run the job script (note.sh:3-5)."""
    await place(spread_file, HERE / "spread.txt")  # written by spread.sh
    variables = {"SLURM_SUBMIT_DIR": str(HERE)}
    await bash(NOTE, "note.sh", env=variables)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    # Each jackknife sample by itself, then their spread.
    results = flyte.map.aio(
        sample,
        range(1, 4),  # --array=1-3
    )
    sample_files: list[File] = [
        r for r in all_ok([r async for r in results]) if isinstance(r, File)
    ]
    spread_2 = await spread(samples_files=sample_files)  # --dependency=afterok:$samples
    await note(spread_file=spread_2)  # --dependency=afterok:$spread


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs returned; if one of them failed, fail."""
    failures = [r for r in results if isinstance(r, BaseException)]
    if failures:
        message = f"{len(failures)} of {len(results)} jobs failed"
        raise RuntimeError(message) from failures[0]
    return [r for r in results if not isinstance(r, BaseException)]


async def fetch_all(files: Sequence[File], directory: Path) -> Path:
    """Download what other jobs wrote into one directory, each under its own name."""
    directory.mkdir(parents=True, exist_ok=True)
    for file in files:
        await file.download(directory / Path(file.path).name)
    return directory


async def place(file: File | None, target: Path) -> None:
    """Put what another job wrote where the script looks for it; nothing where it is not."""
    if file is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        await file.download(target)


def scratch(name: str) -> Path:
    """Make an empty directory of this task's own, in place of a shared one."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(*command: str | float | Path, stdout: IO[bytes] | None = None) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


async def bash(script: str, *argv: str, env: Mapping[str, str]) -> None:
    """Run a piece of the job script, argv as its $0, $1, ...; if it fails, fail."""
    process = await asyncio.create_subprocess_exec(
        "/bin/bash",
        "-c",
        script,
        *argv,
        cwd=HERE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **env},
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 3b12b435f56e
