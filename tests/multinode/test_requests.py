"""What a job asks of Slurm alone keeps it there, unless the site file says otherwise; and the report of what stays."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ONE = "#SBATCH --nodes=1\n"
SEVERAL = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node=4\n"
RANKS = (
    "srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_endpoint=$A:29500 train.py\n"
)


def convert(
    folder: Path,
    header: str,
    body: str = "python train.py\n",
    site: str = "",
    report: str = "review.json",
) -> dict[str, Any]:
    """The review of the script."""
    (folder / "job.sh").write_text(f"#!/bin/bash\n{header}{body}")
    (folder / "train.py").write_text("import torch\n")
    (folder / "slurm2flyte.toml").write_text(site)
    run(folder, "job.sh", "--report", report, "--report", "review.json")
    (review,) = json.loads((folder / "review.json").read_text())["inputs"]
    return dict(review)


def run(folder: Path, *arguments: str) -> None:
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", "--force", *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
    )


REQUESTS = [
    (ONE + "#SBATCH --licenses=ansys:4\n", "python train.py\n", "S2F215", "licenses"),
    (ONE + '#SBATCH --bb="capacity=10GB"\n', "python train.py\n", "S2F232", "bb"),
    (SEVERAL + "#SBATCH --switches=1\n", RANKS, "S2F214", "switches"),
    (SEVERAL + "#SBATCH --switches=2@4:00:00\n", RANKS, "S2F214", "switches"),
    (SEVERAL + "#SBATCH --contiguous\n", RANKS, "S2F214", "contiguous"),
    (ONE + "#BB create_persistent name=a\n", "python train.py\n", "S2F776", "bb"),
    (ONE + "#DW jobdw capacity=10GB\n", "python train.py\n", "S2F776", "bb"),
]


@pytest.mark.parametrize(("header", "body", "rule", "option"), REQUESTS)
def test_it_stays(
    tmp_path: Path, header: str, body: str, rule: str, option: str
) -> None:
    review = convert(tmp_path, header, body)
    assert review["verdict"] == "keep_on_slurm"
    (why,) = [
        f for f in review["findings"] if "stays on Slurm" in f["message"]
    ]  # and no other
    assert why["rule"] == rule
    assert why["config_key"] == f"options.{option}.ignore"
    assert review["on_slurm"]["rule"] == rule
    assert "Flyte" in why["message"]


@pytest.mark.parametrize(("header", "body", "rule", "option"), REQUESTS)
def test_it_does_without(
    tmp_path: Path, header: str, body: str, rule: str, option: str
) -> None:
    site = f"[options.{option}]\nignore = true\n"
    review = convert(tmp_path, header, body, site)
    assert review["verdict"] != "keep_on_slurm"
    assert "on_slurm" not in review
    if rule != "S2F776":  # the lines are asked about all the same
        assert rule not in {f["rule"] for f in review["findings"]}
        module = (tmp_path / "job_flyte.py").read_text()
        assert f"--{option}" in module
        assert "does without it, by slurm2flyte.toml:2" in " ".join(module.split())


@pytest.mark.parametrize(
    ("header", "body"),
    [
        (ONE + "#SBATCH --switches=1\n", "python train.py\n"),
        (ONE + "#SBATCH --contiguous\n", "python train.py\n"),
        (SEVERAL + "#SBATCH --switches=0\n", RANKS),
        (SEVERAL + "#SBATCH --contiguous\n", "python train.py\n"),  # on the first
        (ONE, "#DW too late\npython train.py\n#BB later\n"),
    ],
)
def test_it_asks_for_nothing(tmp_path: Path, header: str, body: str) -> None:
    review = convert(tmp_path, header, "true\n" + body if "DW" in body else body)
    assert review["verdict"] != "keep_on_slurm"


def test_the_option_goes_along(tmp_path: Path) -> None:
    convert(tmp_path, ONE + "#SBATCH --licenses=ansys:4\n")
    assert '"licenses": "ansys:4"' in (tmp_path / "job_flyte.py").read_text()


def test_mpi_is_the_better_reason(tmp_path: Path) -> None:
    review = convert(tmp_path, SEVERAL + "#SBATCH --switches=1\n", "mpirun ./solver\n")
    assert review["on_slurm"]["rule"] == "S2F702"


def test_a_decision_keeps_a_job(tmp_path: Path) -> None:
    header = ONE + "#SBATCH --exclusive\n"
    assert convert(tmp_path, header)["verdict"] == "needs_decision"
    review = convert(tmp_path, header, site='[rules]\non_slurm = ["S2F213"]\n')
    assert review["verdict"] == "keep_on_slurm"
    assert review["on_slurm"]["rule"] == "S2F213"
    assert "slurm2flyte.toml:2" in review["on_slurm"]["why"]
    assert review["lines"] == review["lines_accounted"]
    # one that does not give the choice keeps nothing
    site = '[rules]\non_slurm = ["S2F205"]\n'
    assert convert(tmp_path, header, site=site)["verdict"] == "needs_decision"


@pytest.mark.parametrize(("gpus", "stays"), [(7, True), (8, False)])
def test_more_gpus_than_there_are(tmp_path: Path, gpus: int, stays: bool) -> None:
    site = f"[limits]\ncluster_gpus = {gpus}\n"
    review = convert(tmp_path, SEVERAL, RANKS, site)
    assert (review["verdict"] == "keep_on_slurm") == stays
    ray = (
        "NODES=($(scontrol show hostnames $SLURM_JOB_NODELIST))\nHEAD=${NODES[0]}\n"
        "srun -N1 -n1 -w $HEAD ray start --head --port=6379 --block &\nsleep 10\n"
        "srun -N1 -n1 --exclude $HEAD ray start --address $HEAD:6379 --block &\nsleep 5\n"
        "python ray_train.py\n"
    )
    (tmp_path / "ray_train.py").write_text("import ray\nray.init(address='auto')\n")
    review = convert(tmp_path, SEVERAL, ray, site)
    assert (review["verdict"] == "keep_on_slurm") == stays, review["findings"]


def test_the_report_of_what_stays(tmp_path: Path) -> None:
    review = convert(tmp_path, SEVERAL, "srun --mpi=pmix ./solver\n", report="r.md")
    told = review["on_slurm"]
    assert told["line"] == 5
    assert "torchrun" in told["change"]
    needs = " ".join(f"{each['what']}: {each['here']}" for each in told["needs"])
    for word in ("connector", "SSH", "slurm.host", "SUBMIT_DIR", "outputs"):
        assert word in needs
    text = (tmp_path / "r.md").read_text()
    for word in (
        "### Why it stays on Slurm",
        "To move it: ",
        "## Order",
        "Stay on Slurm",
    ):
        assert word in text
    answered = '[slurm]\nhost = "login.example.org"\nsubmit_dir = "/home/lab"\n'
    needs = convert(tmp_path, SEVERAL, "mpirun ./solver\n", answered)["on_slurm"][
        "needs"
    ]
    assert [each["here"] for each in needs].count("named in the module") == 2


def test_the_order_of_several(tmp_path: Path) -> None:
    for name, body in (("mpi", "mpirun ./solver"), ("eval", "python train.py")):
        (tmp_path / f"{name}.sh").write_text(f"#!/bin/bash\n#SBATCH -n 4\n{body}\n")
    run(tmp_path, "mpi.sh", "eval.sh", "--report", "all.md", "--report", "all.html")
    order = (tmp_path / "all.md").read_text().split("## Order")[1]
    assert order.index("`eval.sh`") < order.index("`mpi.sh`")
    assert "Why it stays on Slurm" in (tmp_path / "all.html").read_text()
    run(tmp_path, "eval.sh", "--report", "one.md")
    assert "## Order" not in (tmp_path / "one.md").read_text()
