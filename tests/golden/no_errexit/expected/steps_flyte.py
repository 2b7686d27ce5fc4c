"""Run missing.py and work.py.

Migrated from steps.sh. What used to be "sbatch steps.sh" is now:

    flyte run --local steps_flyte.py steps     # this machine, no cluster
    flyte run steps_flyte.py steps             # the cluster
    flyte deploy steps_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

steps_env = flyte.TaskEnvironment(
    name="steps",  # --job-name=steps
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="8Gi"),  # --mem=8G
    include=("work.py",),
)


@steps_env.task
async def steps() -> None:
    """Run missing.py and work.py (steps.sh:5-6)."""
    # REVIEW S2F410: no `set -e`: when this fails (steps.sh:5), the job goes on, and its
    # last command decides. check=True would end it here.
    await run(sys.executable, "missing.py", check=False)
    await run(sys.executable, "work.py")


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
    print(flyte.run(steps).url)
# slurm2flyte: generated from steps.sh, sha256 of the text above: dde0844ac1d3
