"""Run hello.sh.

Migrated from hello.sh. What used to be "sbatch hello.sh" is now:

    flyte run --local hello_flyte.py hello     # this machine, no cluster
    flyte run hello_flyte.py hello             # the cluster
    flyte deploy hello_flyte.py                # register the task
"""

import asyncio
import subprocess
from collections.abc import Sequence
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

hello_env = flyte.TaskEnvironment(
    name="hello",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
)

# hello.sh:4, as it was
HELLO = r"""
echo "hello from $(hostname)"
"""


@hello_env.task
async def hello() -> None:
    """Run the job script (hello.sh:4)."""
    await bash(HELLO, "hello.sh", interpreter=("/bin/sh",))


async def bash(script: str, *argv: str, interpreter: Sequence[str]) -> None:
    """Run a piece of the job script, argv as its $0, $1, ...; if it fails, fail."""
    process = await asyncio.create_subprocess_exec(
        *interpreter,
        "-c",
        script,
        *argv,
        cwd=HERE,
        stdin=subprocess.DEVNULL,
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(hello).url)
# slurm2flyte: generated from hello.sh, sha256 of the text above: d32a0bbb8307
