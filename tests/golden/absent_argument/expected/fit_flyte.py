"""Run fit.sh.

Migrated from fit.sh. What used to be "sbatch fit.sh" is now:

    flyte run --local fit_flyte.py fit --arg2 ARG2     # this machine, no cluster
    flyte run fit_flyte.py fit --arg2 ARG2             # the cluster
    flyte deploy fit_flyte.py                          # register the task
"""

from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

fit_env = flyte.TaskEnvironment(
    name="fit",  # --job-name=fit
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
)


@fit_env.task
async def fit(arg2: str, epochs: str = "") -> None:
    """Run the job (fit.sh:4-9); epochs was $1, arg2 was $2."""
    # The first argument may be left out, the second may not.
    if not epochs:
        epochs_ = "3"
    else:
        epochs_ = epochs
    print(f"epochs {epochs_}, data {arg2}", flush=True)


if __name__ == "__main__":
    flyte.init_from_config()
    print("See: flyte run fit_flyte.py fit --help")
# slurm2flyte: generated from fit.sh, sha256 of the text above: 4121d48033e0
