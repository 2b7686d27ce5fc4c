"""Run work.

Migrated from ranks.sh. What used to be "sbatch ranks.sh" is now:

    flyte run --local ranks_flyte.py ranks     # this machine, no cluster
    flyte run ranks_flyte.py ranks             # the cluster
    flyte deploy ranks_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

ranks_env = flyte.TaskEnvironment(
    name="ranks",  # --job-name=ranks
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=2),  # --ntasks=2
)


@ranks_env.task
async def ranks() -> None:
    """Run work (ranks.sh:5-12)."""
    running: list[asyncio.Task[int]] = []
    # A number that counts itself, and two names that are made of each other.
    rank_ = 0
    for node in ("first", "second"):
        running.append(await spawn("./work", f"--rank={rank_}"))
        rank_ = rank_ + 1
    # REVIEW S2F411: `wait` (ranks.sh:12) succeeds whatever the commands returned.
    # check=True would end the job there.
    await asyncio.gather(*running)


async def spawn(*command: str | float | Path) -> asyncio.Task[int]:
    """Start one command of the job script beside the others, as & does.

    Whoever awaits what is returned gets its status.
    """
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
        return asyncio.create_task(asyncio.sleep(0, code))

    async def status() -> int:
        code = await process.wait()
        return 128 - code if code < 0 else code

    return asyncio.create_task(status())


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(ranks).url)
# slurm2flyte: generated from ranks.sh, sha256 of the text above: 0cbe840c41b8
