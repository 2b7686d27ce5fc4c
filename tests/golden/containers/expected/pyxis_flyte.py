"""Run infer.py.

Migrated from pyxis.sh. What used to be "sbatch pyxis.sh" is now:

    flyte run --local pyxis_flyte.py pyxis     # this machine, no cluster
    flyte run pyxis_flyte.py pyxis             # the cluster
    flyte deploy pyxis_flyte.py                # register the task
"""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# pyxis.sh:3 srun --container-image=nvcr.io#nvidia/pytorch:24.05-py3: the task runs in
# that image, with flyte added.
image = (
    flyte.Image.from_base("nvcr.io/nvidia/pytorch:24.05-py3")
    .clone(name="pyxis", extendable=True)
    .with_pip_packages("flyte")
)

pyxis_env = flyte.TaskEnvironment(
    name="pyxis",  # --job-name=pyxis
    image=image,
    include=("infer.py",),
)


@pyxis_env.task
async def pyxis() -> None:
    """Run infer.py (pyxis.sh:3)."""
    await run(image_python(), "infer.py")


def image_python() -> str:
    """Find the Python that came with the image; flyte's own stands first on PATH."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(p for p in os.get_exec_path() if p != own)
    return shutil.which("python", path=path) or sys.executable


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
    print(flyte.run(pyxis).url)
# slurm2flyte: generated from pyxis.sh, sha256 of the text above: a7555a2537ee
