"""Frameworks that reach other nodes in ways that Flyte has nothing for: each stays on Slurm, and says why."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=2\n"


@dataclass(frozen=True)
class Case:
    """A script, a payload beside it, and the finding that says why the job stays."""

    name: str
    body: str
    rule: str
    says: str
    file: str = "run.py"
    text: str = "print(1)\n"


CASES = [
    Case("horovod", "srun python run.py", "S2F702", "imports horovod", text="import horovod.torch as hvd\nhvd.init()\n"),
    Case("horovodrun", "horovodrun -np 4 -H a:2,b:2 python run.py", "S2F702", "horovodrun starts"),
    Case("tf_config_in_the_program", "srun python run.py", "S2F769", "MultiWorkerMirroredStrategy", text='import os, json\nimport tensorflow as tf\nos.environ["TF_CONFIG"] = json.dumps({})\ns = tf.distribute.MultiWorkerMirroredStrategy()\n'),
    Case("tf_config_in_the_script", 'export TF_CONFIG="{}"\nsrun python run.py', "S2F702", "4 copies", text="import tensorflow\n"),
    Case("tf_slurm_resolver", "srun python run.py", "S2F769", "SlurmClusterResolver", text="import tensorflow as tf\nr = tf.distribute.cluster_resolver.SlurmClusterResolver()\n"),
    Case("julia_slurm_manager", "julia run.jl", "S2F769", "SlurmManager", "run.jl", "using Distributed, ClusterManagers\naddprocs(SlurmManager(4))\n"),
    Case("julia_addprocs", "julia --machine-file <(srun hostname) run.jl", "S2F769", "addprocs of Distributed", "run.jl", "using Distributed\naddprocs(4)\n"),
    Case("r_parallel", "Rscript run.R", "S2F769", "makeCluster of parallel", "run.R", 'library(parallel)\ncl <- makeCluster(c("a", "b"), type = "PSOCK")\n'),
    Case("r_future", "Rscript run.R", "S2F769", "plan of future", "run.R", "library(future)\nplan(cluster, workers = parallelly::availableWorkers())\n"),
    Case("r_snow", "Rscript run.R", "S2F769", "makeMPIcluster", "run.R", "library(snow)\ncl <- makeMPIcluster(4)\n"),
    Case("parallel_sshloginfile", "scontrol show hostnames > hosts\nparallel --sshloginfile hosts python run.py {} ::: 1 2", "S2F707", "--sshloginfile"),
    Case("parallel_sshlogin", "parallel --sshlogin $(scontrol show hostnames | paste -sd,) python run.py {} ::: 1 2", "S2F707", "--sshlogin"),
    Case("parallel_S", "parallel -S $(scontrol show hostnames | paste -sd,) python run.py {} ::: 1 2", "S2F707", "parallel -S"),
    Case("parallel_of_srun", "parallel -j 4 srun -N1 -n1 --exclusive python run.py {} ::: 1 2", "S2F407", "srun"),
    Case("scontrol_of_no_known_form", "scontrol frobnicate now\npython run.py", "S2F407", "scontrol"),
    Case("node_program_below_a_variable", "$IPS_PATH/bin/ips.py --config=run.conf", "S2F707", "ips.py starts"),
    Case("pdsh", "pdsh -w $SLURM_NODELIST python run.py", "S2F707", "pdsh starts processes"),
    Case("ssh_loop", "for host in $(scontrol show hostnames); do\n  ssh $host python run.py &\ndone\nwait", "S2F707", "ssh starts a program"),
    Case("dask_mpi_in_the_program", "srun python run.py", "S2F702", "imports dask_mpi", text="from dask_mpi import initialize\nfrom dask.distributed import Client\ninitialize()\nclient = Client()\n"),
    Case("dask_jobqueue_in_the_program", "python run.py", "S2F769", "SLURMCluster of dask-jobqueue", text="from dask_jobqueue import SLURMCluster\nc = SLURMCluster(cores=4)\n"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.name)
def test_it_stays_and_says_why(case: Case, tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(HEADER + case.body + "\n")
    (tmp_path / case.file).write_text(case.text)
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", "job.sh", "--report", "review.json"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    (review,) = json.loads((tmp_path / "review.json").read_text())["inputs"]
    assert review["verdict"] == "keep_on_slurm"
    assert "SlurmScriptTask(" in (tmp_path / "job_flyte.py").read_text()
    said = [f["message"] for f in review["findings"] if f["rule"] == case.rule]
    assert any(case.says in message for message in said), said
