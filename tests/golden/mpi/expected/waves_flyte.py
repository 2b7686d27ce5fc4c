"""Run waves.sh on Slurm, as before.

Migrated from waves.sh. It stays on Slurm: Flyte's connector submits the script, waits
for the job and takes over its log. What used to be "sbatch waves.sh" is now:

    flyte run waves_flyte.py waves     # the cluster, and Slurm
    flyte deploy waves_flyte.py        # register the task

Not carried over:

- waves.sh:2 --job-name=waves: the connector names the job flyte-waves-<random>
"""

import flyte
from flyteplugins.slurm import Slurm, SlurmScriptTask

# REVIEW S2F710: the connector submits from its home directory. Name the directory on
# the cluster that waves.sh was submitted from; without it the job stops at `cd`.
SUBMIT_DIR = ""

# waves.sh:10-12, as it was, after a `cd`
WAVES = r"""#!/bin/bash
cd "${SUBMIT_DIR:?}" || exit
module load gcc/12 openmpi/4.1

srun --mpi=pmix ./waves -in waves.in
"""

# REVIEW S2F702: srun --mpi starts the ranks of an MPI program (its ranks: 4 nodes with
# 32 processes each) (waves.sh:12).
waves = SlurmScriptTask(
    name="waves",  # --job-name=waves
    script=WAVES,
    # REVIEW S2F711: the connector's own settings name the login node, the user and the
    # SSH key (FLYTE_SLURM_HOST, _USERNAME, _SSH_PRIVATE_KEY); else give them here.
    plugin_config=Slurm(
        nodes=4,  # --nodes=4
        partition="cpu",  # --partition=cpu
        time_limit="08:00:00",  # --time=08:00:00
        sbatch_options={
            "exclusive": True,  # --exclusive
            "mem-per-cpu": "2G",  # --mem-per-cpu=2G
            "ntasks-per-node": 32,  # --ntasks-per-node=32
        },
        env={"SUBMIT_DIR": SUBMIT_DIR},
    ),
)

waves_env = flyte.TaskEnvironment.from_task("waves", waves)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(waves).url)
# slurm2flyte: generated from waves.sh, sha256 of the text above: 92e566cfab1f
