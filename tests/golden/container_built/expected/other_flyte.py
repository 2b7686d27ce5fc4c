"""Run infer.py.

Migrated from other.sh. What used to be "sbatch other.sh" is now:

    flyte run --local other_flyte.py other     # this machine, no cluster
    flyte run other_flyte.py other             # the cluster
    flyte deploy other_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F530: other.sh:4 ran in tools:1, which the script built itself. Push it to a
# registry and name it here: flyte.Image.from_base("...").clone(name="other",
# extendable=True).with_pip_packages("flyte").
image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

# REVIEW S2F520: other.sh:3 docker runs a container, which a container cannot do: name
# its image here and run the inner command.
other_env = flyte.TaskEnvironment(
    name="other",  # --job-name=other
    image=image,
    include=("infer.py",),
)


@other_env.task
async def other() -> None:
    """Run infer.py (other.sh:3-4)."""
    # REVIEW S2F410: no `set -e`: when this fails (other.sh:3), the job goes on, and its
    # last command decides. check=True would end it here.
    await run(
        "docker",
        "build",
        "--build-arg",
        "CUDA=12",
        "-t",
        "tools:1",
        ".",
        check=False,
    )
    await run(sys.executable, "infer.py")


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
    print(flyte.run(other).url)
# slurm2flyte: generated from other.sh, sha256 of the text above: 10de585f756d
