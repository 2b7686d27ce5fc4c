"""Run ranks.sh.

Migrated from ranks.sh. What used to be "sbatch ranks.sh" is now:

    flyte run --local ranks_flyte.py ranks     # this machine, no cluster
    flyte run ranks_flyte.py ranks             # the cluster
    flyte deploy ranks_flyte.py                # register the task
"""

import asyncio
import subprocess
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

ranks_env = flyte.TaskEnvironment(
    name="ranks",  # --job-name=ranks
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=2),  # --ntasks=2
)

# ranks.sh:8-12, as it was, after lines 5, 6, but for line 9, srun of one process
RANKS = r"""
RANK=0
LEFT=$RIGHT
for node in first second; do
  ./work --rank=$RANK $LEFT &
  RANK=$((RANK+1))
done
wait
"""


@ranks_env.task
async def ranks() -> None:
    """Run the job script (ranks.sh:5-12)."""
    # A number that counts itself, and two names that are made of each other.
    await bash(RANKS, "ranks.sh")


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
    print(flyte.run(ranks).url)
# slurm2flyte: generated from ranks.sh, sha256 of the text above: 7697ae5296ef
