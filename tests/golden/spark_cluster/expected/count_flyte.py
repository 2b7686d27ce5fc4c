"""Run count.py with 6 Spark executors.

Migrated from count.sh. What used to be "sbatch count.sh" is now:

    flyte run --local count_flyte.py count     # one process
    flyte run count_flyte.py count             # the cluster
    flyte deploy count_flyte.py                # register the task

Not carried over:

- count.sh:12-19 the Spark master and its workers: Flyte starts them and ends them
"""

import asyncio
import os
import runpy
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte
from flyteplugins.spark import Spark

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

count_env = flyte.TaskEnvironment(
    name="count",  # --job-name=count
    image=flyte.Image.from_debian_base(
        python_version=(3, 12)  # default: none named
    ).with_pip_packages("flyteplugins-spark"),
    resources=flyte.Resources(cpu=8, memory="32Gi"),  # --cpus-per-task=8 --mem=32G
    plugin_config=Spark(
        spark_conf={
            "spark.executor.instances": "6",  # --nodes=3
            "spark.executor.memory": "8g",
            "spark.sql.shuffle.partitions": "12",
            "spark.executor.cores": "4",
            "spark.executor.memoryOverhead": "8192m",
            "spark.driver.memoryOverhead": "31744m",
        }
    ),
    include=("count.py",),
)


@count_env.task(timeout=timedelta(hours=1))  # --time=01:00:00
async def count(numbers: int = 1000) -> None:
    """Run count.py on the Spark cluster (count.sh:16-17)."""
    await asyncio.to_thread(in_session, "count.py", "--numbers", numbers)


def in_session(program: str | Path, *arguments: str | float | Path) -> None:
    """Run a program in the driver's own process, where getOrCreate() finds the session."""
    sys.argv = [str(program), *(str(each) for each in arguments)]
    os.chdir(HERE)
    sys.path.insert(0, str(Path(program).resolve().parent))
    try:
        runpy.run_path(str(program), run_name="__main__")
    except SystemExit as end:
        if end.code:
            status = end.code if isinstance(end.code, int) else 1
            raise subprocess.CalledProcessError(status, sys.argv) from end


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(count).url)
# slurm2flyte: generated from count.sh, sha256 of the text above: d9f1c1655c36
