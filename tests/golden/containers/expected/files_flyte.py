"""Run infer.py.

Migrated from files.sh. What used to be "sbatch files.sh" is now:

    flyte run --local files_flyte.py files     # this machine, no cluster
    flyte run files_flyte.py files             # the cluster
    flyte deploy files_flyte.py                # register the task

Not carried over:

- files.sh:3 --nv: gpu= gives the container its GPU
"""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F520: files.sh:3 ran in /scratch/me/tools.sif, which no registry is known to
# have. Push it to one and name it here:
# flyte.Image.from_base("...").clone(name="files",
# extendable=True).with_pip_packages("flyte").
# files.sh:4 singularity exec docker://ubuntu:22.04: the task runs in that image, with
# flyte added.
# REVIEW S2F522: the job runs commands in /scratch/me/tools.sif, ubuntu:22.04: one image
# must have what all need, or each becomes a task of its own.
image = (
    flyte.Image.from_base("ubuntu:22.04")
    .clone(name="files", extendable=True)
    .with_pip_packages("flyte")
)

files_env = flyte.TaskEnvironment(
    name="files",  # --job-name=files
    image=image,
    include=("infer.py",),
)


@files_env.task
async def files() -> None:
    """Run infer.py (files.sh:3-4)."""
    # REVIEW S2F410: no `set -e`: when this fails (files.sh:3), the job goes on, and its
    # last command decides. check=True would end it here.
    await run(image_python(), "infer.py", check=False)
    await run("ls")


def image_python() -> str:
    """Find the Python that came with the image; flyte's own stands first on PATH."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(p for p in os.get_exec_path() if p != own)
    return shutil.which("python", path=path) or sys.executable


async def run(*command: str | float | Path, check: bool = True) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL
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
    print(flyte.run(files).url)
# slurm2flyte: generated from files.sh, sha256 of the text above: bdc746aa8b11
