"""Run pair.sh.

Migrated from pair.sh. What used to be "sbatch pair.sh" is now:

    flyte run --local pair_flyte.py pair     # this machine, no cluster
    flyte run pair_flyte.py pair             # the cluster
    flyte deploy pair_flyte.py               # register the task
"""

import asyncio
import subprocess
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

pair_env = flyte.TaskEnvironment(
    name="pair",  # --job-name=pair
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    include=("stem.txt",),
)

# pair.sh:4-5, as it was
PAIR = r"""
STEM=$(cat stem.txt)
cat ${STEM}_left.txt > $STEM.out
"""


@pair_env.task
async def pair() -> None:
    """Run the job script (pair.sh:4-5)."""
    await bash(PAIR, "pair.sh")


async def bash(script: str, *argv: str) -> None:
    """Run a piece of the job script, argv as its $0, $1, ...; if it fails, fail."""
    process = await asyncio.create_subprocess_exec(
        "/bin/bash",
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
    print(flyte.run(pair).url)
# slurm2flyte: generated from pair.sh, sha256 of the text above: 68e67062089a
