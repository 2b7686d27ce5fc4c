"""Run infer.py.

Migrated from others.sh. What used to be "sbatch others.sh" is now:

    flyte run --local others_flyte.py others     # this machine, no cluster
    flyte run others_flyte.py others             # the cluster
    flyte deploy others_flyte.py                 # register the task

Not carried over:

- others.sh:3 docker pull ubuntu:22.04: the cluster pulls a task's image itself
- others.sh:6 enroot import -o u.sqsh docker://ubuntu:22.04: the cluster pulls a task's
  image itself
- others.sh:7 enroot create -n u u.sqsh: the cluster pulls a task's image itself
- others.sh:4 --gpus all: gpu= gives the container its GPU
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

# others.sh:4 docker run ubuntu:22.04: the task runs in that image, with flyte added.
# REVIEW S2F506: the job works in fold, uv's environment: one image must have the
# packages of all, or each part becomes a task of its own.
image = (
    flyte.Image.from_base("ubuntu:22.04")
    .clone(name="others", extendable=True)
    .with_pip_packages("flyte")
)

# REVIEW S2F520: others.sh:11 apptainer runs a container, which a container cannot do:
# name its image here and run the inner command.
others_env = flyte.TaskEnvironment(
    name="others",  # --job-name=others
    image=image,
    include=("infer.py",),
)


@others_env.task
async def others() -> None:
    """Run infer.py (others.sh:4-11)."""
    # REVIEW S2F410: no `set -e`: when this fails (others.sh:4), the job goes on, and
    # its last command decides. check=True would end it here.
    await run("ls", "-l", env={"A": "1"}, check=False)
    await run("pwd", check=False)
    await run("true", check=False)
    await run(image_python(), "infer.py", check=False)
    await run(image_python(), "infer.py", "--fast", check=False)
    await run("apptainer", "run", "docker://ubuntu:22.04")


def image_python() -> str:
    """Find the Python that came with the image; flyte's own stands first on PATH."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(p for p in os.get_exec_path() if p != own)
    return shutil.which("python", path=path) or sys.executable


async def run(
    *command: str | float | Path,
    env: Mapping[str, str] | None = None,
    check: bool = True,
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})}
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
    print(flyte.run(others).url)
# slurm2flyte: generated from others.sh, sha256 of the text above: 512eb9afe5a2
