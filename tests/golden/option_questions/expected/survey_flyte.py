"""Run survey.py on 2 A100 GPUs.

Migrated from survey.sh. What used to be "sbatch survey.sh" is now:

    flyte run --local survey_flyte.py survey     # this machine, no cluster
    flyte run survey_flyte.py survey             # the cluster
    flyte deploy survey_flyte.py                 # register the task

Not carried over:

- survey.sh:4 --constraint="skylake&ib" asks for nodes with that feature; Flyte knows no
  features
- survey.sh:4 --prefer=nvme prefers nodes with that feature; Flyte knows no features
- survey.sh:5 --nodelist=node04 names nodes; Flyte chooses the node, and the names mean
  nothing there
- survey.sh:5 --exclude=node17 leaves nodes out; they are none of Flyte's
- survey.sh:6 --reservation=workshop used nodes that were kept free for it; Flyte has no
  reservations
- survey.sh:7 --exclusive gave the job its nodes alone; a container shares its node
- survey.sh:8 --threads-per-core=1 says how tasks use the threads of a core; Flyte
  counts a thread as a CPU
- survey.sh:8 --mem-bind=local binds memory to the CPUs that use it; a container binds
  none
- survey.sh:9 --signal=B:USR1@300 asks for a warning before the time limit; Flyte gives
  none
- survey.sh:10 --begin=now+1hour started the job later; a Flyte run starts when it is
  started
- survey.sh:11 --deadline=now+3days gave an instant by which the job must end; Flyte
  knows none
- survey.sh:12 --time-min=04:00:00 let Slurm shorten the job; Flyte gives it its whole
  limit
- survey.sh:13 --dependency=afterok:4711 waits for another job of the cluster; a lone
  script's run waits for nothing
- survey.sh:15 --input=readings.txt gave the job its standard input; a task reads from
  /dev/null
- survey.sh:16 --nice=50: queues of Flyte know no priority of one user's jobs
- survey.sh:16 --comment="spring term": a remark in Slurm's accounting
- survey.sh:16 --profile=task: Slurm's own profiling
- survey.sh:16 --acctg-freq=task=10: Flyte measures containers by itself
- survey.sh:17 --get-user-env: a container has no login environment
- survey.sh:17 --propagate=STACK: a container has the limits of its node
"""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F212: --constraint="skylake&ib": if the work needs that hardware,
# pod_template="NAME" of nodes that have it.
# REVIEW S2F214: --nodelist=node04: if the node was chosen for its hardware, name the
# hardware: a GPU type, or pod_template="NAME".
# REVIEW S2F214: --reservation=workshop: if nodes are kept for this work, queue="NAME"
# or pod_template="NAME" of those.
# REVIEW S2F213: --exclusive: the job had its node to itself. If it measures time or
# uses every CPU, ask for a whole node.
# REVIEW S2F221: --signal=B:USR1@300: nothing warns before the limit: write checkpoints
# on a timer.
# REVIEW S2F222: --begin=now+1hour: start the run at that time; a trigger in its place
# would repeat it.
# REVIEW S2F222: --deadline=now+3days: Slurm drops the job when it cannot end by then;
# nothing here does.
# REVIEW S2F302: --dependency=afterok:4711: nothing waits for that job: start the run
# after it, or await its task.
# REVIEW S2F114: --input=readings.txt: programs here read from /dev/null: give the file
# to the one that reads it.
survey_env = flyte.TaskEnvironment(
    name="survey",  # --job-name=survey
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(
        gpu="A100:2",  # --gres=gpu:a100:2
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    include=("survey.py",),
)


@survey_env.task(
    # REVIEW S2F220: Slurm requeues after a node failure; a retry also follows a failed
    # command.
    retries=3,  # --requeue
    timeout=timedelta(hours=12),  # --time=12:00:00
)
async def survey() -> None:
    """Run survey.py (survey.sh:19)."""
    await run(sys.executable, "survey.py")


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
    # --account=physics --wckey=thesis
    runner = flyte.with_runcontext(
        labels={"slurm-account": "physics", "slurm-wckey": "thesis"}
    )
    print(runner.run(survey).url)
# slurm2flyte: generated from survey.sh, sha256 of the text above: 19350f8c9d9c
