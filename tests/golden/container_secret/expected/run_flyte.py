"""Run tracked.py.

Migrated from run.sh. What used to be "sbatch run.sh" is now:

    flyte run --local run_flyte.py tracked     # this machine, no cluster
    flyte run run_flyte.py tracked             # the cluster
    flyte deploy run_flyte.py                  # register the task
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# run.sh:4 docker run ubuntu:22.04: the task runs in that image, with flyte added.
image = (
    flyte.Image.from_base("ubuntu:22.04")
    .clone(name="tracked", extendable=True)
    .with_pip_packages("flyte")
)

tracked_env = flyte.TaskEnvironment(
    name="tracked",  # --job-name=tracked
    image=image,
    # REVIEW S2F801: run.sh:3 held a secret in plain text. Revoke it, then put the new
    # one in place: flyte create secret wandb-api-key
    secrets=flyte.Secret("wandb-api-key", as_env_var="WANDB_API_KEY"),
)


@tracked_env.task
async def tracked() -> None:
    """Run tracked.py (run.sh:4)."""
    await run(image_python(), "tracked.py", env={"MODE": "fast"})


def image_python() -> str:
    """Find the Python that came with the image; flyte's own stands first on PATH."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(p for p in os.get_exec_path() if p != own)
    return shutil.which("python", path=path) or sys.executable


async def run(*command: str | float | Path, env: Mapping[str, str]) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **env}
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(tracked).url)
# slurm2flyte: generated from run.sh, sha256 of the text above: f429ffa4adec
