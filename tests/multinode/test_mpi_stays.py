"""Jobs of MPI that no `mpirun` or `srun` of theirs shows as such stay on Slurm, and what is alike but is none leaves it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TASKS = "#SBATCH --ntasks=4\n"
NODES = "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=4\n"
ONE = "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=4\n"


def convert(folder: Path, script: str, **beside: str) -> dict[str, Any]:
    """The review of the script."""
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    (folder / "job.sh").write_text(f"#!/bin/bash\n{script}")
    for name, text in beside.items():
        (folder / name.replace("_py", ".py")).write_text(text)
    subprocess.run(
        [binary, "convert", "-q", "--force", "job.sh", "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    (review,) = json.loads((folder / "review.json").read_text())["inputs"]
    return dict(review)


STAYS = {
    "a launcher of the site": (
        TASKS + "mpirun_site -n 4 ./solver\n",
        "S2F702",
        "mpirun_site starts the ranks of an MPI program",
    ),
    "a launcher of the program": (
        TASKS + "xvfb-run -d mpicasa -n 4 casa -c image.py\n",
        "S2F702",
        "mpicasa starts the ranks of an MPI program",
    ),
    "the program itself": (
        TASKS + "/opt/orca/orca job.inp > job.out\n",
        "S2F702",
        "orca starts the ranks of an MPI program by itself",
    ),
    "the program with an option": (
        TASKS + "abaqus job=beam mp_mode=mpi cpus=4 interactive\n",
        "S2F702",
        "abaqus mp_mode=mpi starts the ranks of an MPI program by itself",
    ),
    "the program with an option, of one task": (
        ONE + "abaqus job=beam mp_mode=mpi cpus=4 interactive\n",
        "S2F702",
        "abaqus mp_mode=mpi starts the ranks of an MPI program by itself",
    ),
    "a launcher of the site in a container": (
        TASKS + "singularity run hpl.sif mpirun_site -P 1 -Q 4\n",
        "S2F702",
        "mpirun_site starts the ranks of an MPI program",
    ),
    "a variable that programs get": (
        TASKS + 'export MPICMD="mpirun -np 4"\npython train.py\n',
        "S2F702",
        "$MPICMD, which the programs of the job are given, holds mpirun",
    ),
    "srun in one": (
        TASKS + "export LAUNCHER=srun\npython train.py\n",
        "S2F407",
        "$LAUNCHER, which the programs of the job are given, holds srun",
    ),
    "a script that is not there": (
        NODES + "module load openmpi/4.1.5\n./run.sh\n",
        "S2F717",
        "it asks for 4 nodes and loads openmpi/4.1.5, and ./run.sh",
    ),
    "a Python program that is not there": (
        NODES + "ml impi\npython /work/sweep.py\n",
        "S2F717",
        "/work/sweep.py, which may start MPI ranks",
    ),
    "a script that is not there, on one node": (
        TASKS + "module load openmpi\nbash run.sh\n",
        "S2F717",
        "it asks for 4 tasks and loads openmpi, and run.sh",
    ),
    "a text that a function runs": (
        NODES
        + 'cmd() { echo "$1"; eval "$1"; }\ncmd "srun -N4 -n16 amr_wind case.inp"\n',
        "S2F702",
        "amr_wind is an MPI program",
    ),
    "a text that stays Bash": (
        TASKS + 'RUN="\'srun --mpi=pmi2 -n 4 ./solver -in a\'"\neval "echo $RUN"\n',
        "S2F702",
        "srun --mpi starts the ranks of an MPI program",
    ),
    "a script that hands on a Python program": (
        NODES + "srun ./with_environment.sh python /work/train.py\n",
        "S2F702",
        "/work/train.py is not beside the script",
    ),
}


@pytest.mark.parametrize("name", STAYS)
def test_it_stays(tmp_path: Path, name: str) -> None:
    script, rule, why = STAYS[name]
    review = convert(tmp_path, script, train_py="print(1)\n")
    assert review["verdict"] == "keep_on_slurm"
    assert review["on_slurm"]["rule"] == rule
    assert why in review["on_slurm"]["why"]
    assert review["lines"] == review["lines_accounted"]


LEAVES = {
    "one task of it": ONE + "/opt/orca/orca job.inp > job.out\n",
    "the program without the option": TASKS + "abaqus job=beam cpus=4 interactive\n",
    "a library that is built with it": (
        NODES + "module load HDF5/1.14.0-gompi-2022b\npython /work/sweep.py\n"
    ),
    "a program that is there": NODES + "module load openmpi\npython train.py\n",
    "Python on one node": TASKS + "module load openmpi\npython /work/sweep.py\n",
    "a library that is unloaded": TASKS + "module unload openmpi\n./run.sh\n",
    "a function of that name": (
        TASKS + "runParallel() { ./a & ./b & wait; }\nrunParallel\n"
    ),
    "a name of a node": (
        "#SBATCH --ntasks=1\n"
        "export MASTER_ADDR=$(srun -n 1 hostname)\npython train.py\n"
    ),
}


@pytest.mark.parametrize("name", LEAVES)
def test_it_leaves(tmp_path: Path, name: str) -> None:
    review = convert(tmp_path, LEAVES[name], train_py="print(1)\n")
    assert review["verdict"] != "keep_on_slurm"
    rules = {finding["rule"] for finding in review["findings"]}
    assert not rules & {"S2F702", "S2F707", "S2F717"}


def test_mpi_in_a_container(tmp_path: Path) -> None:
    (tmp_path / "slurm2flyte.toml").write_text('[mpi]\none_node = "container"\n')
    for line in ("/opt/orca/orca job.inp", "module load openmpi\nbash run.sh"):
        assert convert(tmp_path, TASKS + line + "\n")["verdict"] != "keep_on_slurm"


def test_nodes_of_a_job_that_submits_others(tmp_path: Path) -> None:
    """Its tasks do not fit on a node, without --nodes: that is said all the same."""
    header = "#SBATCH --ntasks=96\n#SBATCH --ntasks-per-node=12\n"
    loop = "for n in 1 2; do\n  sbatch --wait ./other.slurm $n\ndone\n"
    review = convert(tmp_path, header + loop)
    (found,) = [f for f in review["findings"] if f["rule"] == "S2F201"]
    assert "8 nodes" in found["message"]


SHAPES = {
    "nodes that srun itself asks for": (
        (
            "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
            "srun --nodes=8 --ntasks-per-node=2 python /work/train.py\n"
        ),
        "8 nodes with 2 processes each",
    ),
    "one process of ibrun a node": (
        (
            "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=24\n"
            "ibrun --npernode=1 singularity exec image.sif bash ./start.sh\n"
        ),
        "2 nodes with 1 process each",
    ),
    "a loop over two nodes, whose launcher is told of eight": (
        (
            "#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n"
            "nodes=($(scontrol show hostnames $SLURM_JOB_NODELIST))\n"
            "for ((i = 0; i < 2; i++)); do\n"
            "  srun --nodes=1 --ntasks=1 -w ${nodes[$i]} python -m torch.distributed.launch"
            " --nproc_per_node=8 --nnodes=8 --node_rank=$i"
            " --master_addr=${nodes[0]} train.py &\n"
            "done\nwait\n"
        ),
        "2 nodes with 8 processes each",
    ),
    "a launcher of three nodes, started on one": (
        (
            "#SBATCH --nodes=3\n#SBATCH --gpus-per-node=4\n"
            "scontrol show hostnames > hosts\n"
            "python -m torch.distributed.launch --nnodes=3 --nproc_per_node=4 train.py\n"
        ),
        "1 node with 4 processes each",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_that_is_said(tmp_path: Path, name: str) -> None:
    script, shape = SHAPES[name]
    review = convert(tmp_path, script, train_py="import torch\n")
    assert review["verdict"] == "keep_on_slurm"
    assert shape in review["on_slurm"]["why"]


def test_hardware_of_the_site_on_one_node(tmp_path: Path) -> None:
    header = "#SBATCH --gpus-per-node=4\nexport NCCL_DEBUG=INFO\n"
    export = "export NCCL_SOCKET_IFNAME=ib0\n"
    run = "torchrun --nproc_per_node=4 train.py\n"
    review = convert(tmp_path, header + export + run, train_py="import torch\n")
    (found,) = [f for f in review["findings"] if f["rule"] == "S2F705"]
    assert found["severity"] == "decision"
    module = (tmp_path / "job_flyte.py").read_text()
    assert '"ib0"' not in module
    assert '"NCCL_DEBUG": "INFO"' in module
    read = export + 'echo "over $NCCL_SOCKET_IFNAME"\n'
    review = convert(tmp_path, header + read + run, train_py="import torch\n")
    (found,) = [f for f in review["findings"] if f["rule"] == "S2F705"]
    assert "set as it was" in found["message"]
    assert '"ib0"' in (tmp_path / "job_flyte.py").read_text()
