"""Run send.py.

Migrated from send.sh. What used to be "sbatch send.sh" is now:

    flyte run --local send_flyte.py send     # this machine, no cluster
    flyte run send_flyte.py send             # the cluster
    flyte deploy send_flyte.py               # register the task

Not carried over:

- send.sh:2 --export=ALL,WANDB_API_KEY=****************************************: a
  container inherits no variables from who submits
"""

import asyncio
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

send_env = flyte.TaskEnvironment(
    name="send",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    # REVIEW S2F801: send.sh:2 held a secret in plain text. Revoke it, then put the new
    # one in place: flyte create secret wandb-api-key
    secrets=flyte.Secret("wandb-api-key", as_env_var="WANDB_API_KEY"),
    include=("send.py",),
)


@send_env.task(timeout=timedelta(minutes=5))  # --time=5
async def send() -> None:
    """Run send.py (send.sh:4)."""
    await run(sys.executable, "send.py", "--key", os.environ.get("WANDB_API_KEY", ""))


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
    print(flyte.run(send).url)
# slurm2flyte: generated from send.sh, sha256 of the text above: c82c0062c1da
