"""Run upload.py.

Migrated from upload.sh. What used to be "sbatch upload.sh" is now:

    flyte run --local upload_flyte.py upload     # this machine, no cluster
    flyte run upload_flyte.py upload             # the cluster
    flyte deploy upload_flyte.py                 # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

upload_env = flyte.TaskEnvironment(
    name="upload",  # --job-name=upload
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G
    # REVIEW S2F801: upload.sh:4 held a secret in plain text. Revoke it, then put the
    # new one in place: flyte create secret hf-token
    secrets=flyte.Secret("hf-token", as_env_var="HF_TOKEN"),
    include=("upload.py",),
)


@upload_env.task
async def upload(to: str = "results") -> None:
    """Run upload.py (upload.sh:5)."""
    await run(sys.executable, "upload.py", "--to", to)


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
    print(flyte.run(upload).url)
# slurm2flyte: generated from upload.sh, sha256 of the text above: 1deaa429b653
