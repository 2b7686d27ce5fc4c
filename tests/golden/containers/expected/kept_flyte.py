"""Run kept.sh.

Migrated from kept.sh. What used to be "sbatch kept.sh" is now:

    flyte run --local kept_flyte.py kept     # this machine, no cluster
    flyte run kept_flyte.py kept             # the cluster
    flyte deploy kept_flyte.py               # register the task
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# kept.sh:6 singularity exec docker://ubuntu:22.04: the task runs in that image, with
# flyte added.
image = (
    flyte.Image.from_base("ubuntu:22.04")
    .clone(name="kept", extendable=True)
    .with_pip_packages("flyte")
)

# REVIEW S2F601: kept.sh:6 shows the container /scratch: what is read or written there
# must become an input, an output or a mounted volume (pod_template="...").
kept_env = flyte.TaskEnvironment(
    name="kept",  # --job-name=kept
    image=image,
    include=("data",),
)

# kept.sh:5-7, as it was, after lines 3, 4, but for line 6, singularity
KEPT = r"""
IMG=docker://ubuntu:22.04
shopt -s nullglob
for f in data/*; do
  env NAME="$f" sh -c 'echo "$NAME"'
done
"""


@kept_env.task
async def kept() -> None:
    """Run the job script (kept.sh:3-7)."""
    variables = {"PATH": image_path()}
    await bash(KEPT, "kept.sh", env=variables)


def image_path() -> str:
    """Leave flyte's own programs out of PATH; they stand before the image's."""
    own = str(Path(sys.executable).parent)
    return os.pathsep.join(p for p in os.get_exec_path() if p != own)


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
    print(flyte.run(kept).url)
# slurm2flyte: generated from kept.sh, sha256 of the text above: ab683aa06ae7
