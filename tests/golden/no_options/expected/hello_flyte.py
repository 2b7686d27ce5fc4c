"""Run hello.sh.

Migrated from hello.sh. What used to be "sbatch hello.sh" is now:

    flyte run --local hello_flyte.py hello     # this machine, no cluster
    flyte run hello_flyte.py hello             # the cluster
    flyte deploy hello_flyte.py                # register the task
"""

import platform
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

hello_env = flyte.TaskEnvironment(
    name="hello",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
)


@hello_env.task
async def hello() -> None:
    """Run the job (hello.sh:4)."""
    print(f"hello from {platform.node()}", flush=True)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(hello).url)
# slurm2flyte: generated from hello.sh, sha256 of the text above: 0882616a2bdf
