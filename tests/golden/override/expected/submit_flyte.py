"""Run train.sh.

Migrated from submit.sh, which submits train.sh. What used to be "bash submit.sh" is
now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

train_env = flyte.TaskEnvironment(
    name="train",
    image=image,
    resources=flyte.Resources(cpu=4, memory="16Gi"),  # --cpus-per-task=4 --mem=16G
    include=("train.py",),
)

main_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[train_env],
)


@train_env.task(timeout=timedelta(hours=4))  # --time=04:00:00
async def train(seed: str) -> None:
    """Run train.py (train.sh:5); seed was $1."""
    await run(sys.executable, "train.py", "--seed", seed)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (submit.sh)."""
    # The large seed needs more.
    await train(seed="1")
    # --dependency=afterok:$small
    await train.override(
        resources=flyte.Resources(cpu=4, memory="64Gi"),  # --cpus-per-task=4 --mem=64G
        timeout=timedelta(hours=12),  # --time=12:00:00
    )(seed="2")
    # --dependency=afterok:$large
    await train.override(
        # REVIEW S2F210: --partition=long; your deployment needs that queue
        queue="long"
    )(seed="3")


async def run(*command: str | float | Path) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 24e397f26abb
