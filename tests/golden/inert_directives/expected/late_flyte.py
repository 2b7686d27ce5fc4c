"""Run late.sh.

Migrated from late.sh. What used to be "sbatch late.sh" is now:

    flyte run --local late_flyte.py late     # this machine, no cluster
    flyte run late_flyte.py late             # the cluster
    flyte deploy late_flyte.py               # register the task
"""

from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

late_env = flyte.TaskEnvironment(
    name="late",  # --job-name=late
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="1Gi"),  # --mem=1G: enough for now
)


@late_env.task(timeout=timedelta(minutes=1))  # --time=00:30
async def late() -> None:
    """Run the job (late.sh:7-10)."""
    print("begin", flush=True)
    print("end", flush=True)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(late).url)
# slurm2flyte: generated from late.sh, sha256 of the text above: cd3806b5d3a9
