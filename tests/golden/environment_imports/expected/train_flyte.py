"""Run train.py.

Migrated from train.sh. What used to be "sbatch train.sh" is now:

    flyte run --local train_flyte.py imports     # this machine, no cluster
    flyte run train_flyte.py imports             # the cluster
    flyte deploy train_flyte.py                  # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F505: nothing lists the packages of the Python program; its imports name
# numpy, PyYAML, pandas, without versions; no package is known for strange_package.
image = flyte.Image.from_debian_base(
    python_version=(3, 12)  # default: none named
).with_pip_packages("numpy", "PyYAML", "pandas")

imports_env = flyte.TaskEnvironment(
    name="imports",  # --job-name=imports
    image=image,
    include=("pkg/train.py", "pkg/helpers"),
)


@imports_env.task
async def imports(epochs: int = 3) -> None:
    """Run train.py (train.sh:3)."""
    await run(sys.executable, "pkg/train.py", "--epochs", epochs)


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
    print(flyte.run(imports).url)
# slurm2flyte: generated from train.sh, sha256 of the text above: c15b37683209
