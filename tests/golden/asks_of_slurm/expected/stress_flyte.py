"""Run stress.sh on Slurm, as before.

Migrated from stress.sh. It stays on Slurm: Flyte's connector submits the script, waits
for the job and takes over its log. What used to be "sbatch stress.sh" is now:

    flyte run stress_flyte.py stress     # the cluster, and Slurm
    flyte deploy stress_flyte.py         # register the task

Not carried over:

- stress.sh:2 --job-name=stress: the connector names the job flyte-stress-<random>
"""

import flyte
from flyteplugins.slurm import Slurm, SlurmScriptTask

# REVIEW S2F710: the connector submits from its home directory. Name the directory on
# the cluster that stress.sh was submitted from; without it the job stops at `cd`.
SUBMIT_DIR = ""

# stress.sh:8-10, as it was, after a `cd`
STRESS = r"""#!/bin/bash
cd "${SUBMIT_DIR:?}" || exit
module load ansys/2024R1

ansys -b -np 8 -i beam.dat -o beam.out
"""

# REVIEW S2F215: --licenses=ansys:4 waits for licenses, which nothing in Flyte counts
# (stress.sh:3).
stress = SlurmScriptTask(
    name="stress",  # --job-name=stress
    script=STRESS,
    # REVIEW S2F711: the connector's own settings name the login node, the user and the
    # SSH key (FLYTE_SLURM_HOST, _USERNAME, _SSH_PRIVATE_KEY); else give them here.
    plugin_config=Slurm(
        cpus_per_task=8,  # --cpus-per-task=8
        mem="16G",  # --mem=16G
        time_limit="06:00:00",  # --time=06:00:00
        sbatch_options={"licenses": "ansys:4"},  # --licenses=ansys:4
        env={"SUBMIT_DIR": SUBMIT_DIR},
    ),
)

stress_env = flyte.TaskEnvironment.from_task("stress", stress)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(stress).url)
# slurm2flyte: generated from stress.sh, sha256 of the text above: d622dff5b554
