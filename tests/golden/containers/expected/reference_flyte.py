"""Run infer.py on 1 A100 GPU.

Migrated from reference.sh. What used to be "sbatch reference.sh" is now:

    flyte run --local reference_flyte.py reference     # this machine, no cluster
    flyte run reference_flyte.py reference             # the cluster
    flyte deploy reference_flyte.py                    # register the task

Not carried over:

- reference.sh:6 apptainer pull --force image.sif
  docker://nvcr.io/nvidia/pytorch:24.05-py3: the cluster pulls a task's image itself
- reference.sh:7 --nv: gpu= gives the container its GPU
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

# reference.sh:7 apptainer exec image.sif: the task runs in that image, with flyte
# added.
# reference.sh:4 module load apptainer: The cluster runs containers itself.
image = (
    flyte.Image.from_base("nvcr.io/nvidia/pytorch:24.05-py3")
    .clone(name="reference", extendable=True)
    .with_pip_packages("flyte")
)

REFERENCE_EXPORTED = {"SEED": "7"}  # reference.sh:5

# REVIEW S2F601: reference.sh:7 shows the container /data: what is read or written there
# must become an input, an output or a mounted volume (pod_template="...").
reference_env = flyte.TaskEnvironment(
    name="reference",  # --job-name=reference
    image=image,
    resources=flyte.Resources(
        gpu="A100:1",  # --gres=gpu:a100:1
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    env_vars=REFERENCE_EXPORTED,
    include=("infer.py",),
)


@reference_env.task
async def reference(batch_size: int = 32) -> None:
    """Run infer.py (reference.sh:5-8)."""
    await run(
        image_python(),
        "infer.py",
        "--batch-size",
        batch_size,
        env={**REFERENCE_EXPORTED, "MODE": "fast"},
    )


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
    print(flyte.run(reference).url)
# slurm2flyte: generated from reference.sh, sha256 of the text above: 3a072fd697b4
