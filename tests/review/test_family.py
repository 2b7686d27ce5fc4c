"""Three copies of one script, made for three clusters, become one module."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from proof import check

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
SCRIPT = """#!/bin/bash
#SBATCH --job-name=train
#SBATCH --partition={partition}
#SBATCH --account={account}
#SBATCH --gres=gpu:4
#SBATCH --mem=64G
#SBATCH --time=12:00:00
# Train on everything.
module load python/{python}
module load cuda/{cuda}
python train.py --data {data}/imagenet --epochs 90
"""
CLUSTERS = {
    "juwels": {
        "partition": "booster",
        "account": "hai_lab",
        "python": "3.11.3",
        "cuda": "12.1",
        "data": "/p/scratch/lab",
    },
    "lumi": {
        "partition": "standard-g",
        "account": "project_462",
        "python": "3.10.8",
        "cuda": "11.8",
        "data": "/scratch/project_462",
    },
    "mahti": {
        "partition": "gpumedium",
        "account": "lab",
        "python": "3.9.1",
        "cuda": "11.5.0",
        "data": "/projappl/lab/x",
    },
}
SITE = """
[image]
default = "ghcr.io/lab/train:1"
[modules."python/*"]
ignore = true
[modules."cuda/*"]
ignore = true
[accounts."*"]
project = "vision"
[cluster.juwels]
match = ["juwels/**"]
partitions.booster = {queue = "gpu", gpu = "A100"}
paths."/p/scratch".as = "input"
[cluster.lumi]
match = ["lumi/**"]
partitions.standard-g = {queue = "gpu", gpu = "A100"}
paths."/scratch".as = "input"
[cluster.mahti]
match = ["mahti/**"]
partitions."gpu*" = {queue = "gpu", gpu = "A100"}
paths."/projappl".as = "input"
"""
PATHS = [f"{cluster}/train.sh" for cluster in CLUSTERS]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for cluster, names in CLUSTERS.items():
        (tmp_path / cluster).mkdir()
        (tmp_path / cluster / "train.sh").write_text(SCRIPT.format(**names))
        (tmp_path / cluster / "train.py").write_text(
            "import argparse\n"
            "parser = argparse.ArgumentParser()\n"
            'parser.add_argument("--data")\n'
            'parser.add_argument("--epochs", type=int)\n'
            "print(open(parser.parse_args().data).read())\n"
        )
    return tmp_path


def run(
    *arguments: str, cwd: Path, status: int = 0
) -> subprocess.CompletedProcess[str]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    done.stderr = " ".join(done.stderr.split())  # it is laid out in lines
    return done


def test_three_variants_are_one_module(folder: Path) -> None:
    (folder / "slurm2flyte.toml").write_text(SITE)
    family = json.loads(run("audit", ".", "--format", "json", cwd=folder).stdout)
    assert [f["scripts"] for f in family["families"]] == [PATHS]
    run("convert", "--family", *PATHS, "-q", "--report", "r.json", cwd=folder)
    modules = sorted(str(p.relative_to(folder)) for p in folder.rglob("*_flyte.py"))
    assert modules == ["juwels/train_flyte.py"]
    review = json.loads((folder / "r.json").read_text())
    assert [s["path"] for s in review["inputs"]] == PATHS
    assert {s["output"] for s in review["inputs"]} == {"juwels/train_flyte.py"}
    # Of each of the three every line is accounted for, in the one module.
    assert check(review, folder, folder) == []
    text = (folder / "juwels" / "train_flyte.py").read_text()
    assert 'queue="gpu"' in text and 'gpu="A100:4"' in text
    lines = text.splitlines()
    for script in review["inputs"]:
        cited = {
            i["text"]: [lines[n - 1] for n in i["output_lines"]]
            for i in script["items"]
        }
        (gres,) = cited["--gres=gpu:4"]
        assert 'gpu="A100:4"' in gres
    assert "# stands for lumi/train.sh, too" in text
    # Written once more it is the same, and it is known as our own.
    run("convert", "--family", *PATHS, "-q", cwd=folder)
    assert (folder / "juwels" / "train_flyte.py").read_text() == text
    run("convert", "--family", *PATHS, "--check", cwd=folder)
    compile(text, "train_flyte.py", "exec")


def test_order_decides_whose_module_it_is(folder: Path) -> None:
    (folder / "slurm2flyte.toml").write_text(SITE)
    run("convert", "--family", *reversed(PATHS), "-q", cwd=folder)
    assert [p.parent.name for p in folder.rglob("*_flyte.py")] == ["mahti"]


def test_files_of_other_names(tmp_path: Path) -> None:
    """Copies that lie side by side have names of their own, and tasks by those names."""
    for cluster in ("juwels", "lumi"):
        (tmp_path / f"fit_{cluster}.sh").write_text(
            f"#!/bin/bash\n#SBATCH -p {cluster}\n#SBATCH --mem=1G\npython fit.py\n"
        )
    (tmp_path / "slurm2flyte.toml").write_text('[partitions."*"]\nqueue = "gpu"\n')
    paths = ("fit_juwels.sh", "fit_lumi.sh")
    run("convert", "--family", *paths, "-q", "--report", "r.json", cwd=tmp_path)
    assert [p.name for p in tmp_path.glob("*_flyte.py")] == ["fit_juwels_flyte.py"]
    review = json.loads((tmp_path / "r.json").read_text())
    assert {s["entry"] for s in review["inputs"]} == {"fit_juwels"}
    assert check(review, tmp_path, tmp_path) == []


def test_what_is_not_answered_keeps_them_apart(folder: Path) -> None:
    done = run("convert", "--family", *PATHS, cwd=folder, status=2)
    assert "are no one module: their code differs" in done.stderr
    assert "[cluster.NAME]" in done.stderr
    assert "partitions.booster" in done.stderr and "lumi/train.sh" in done.stderr
    assert not list(folder.rglob("*_flyte.py"))
    # One that has another queue there.
    (folder / "slurm2flyte.toml").write_text(
        SITE.replace('"gpu*" = {queue = "gpu"', '"gpu*" = {queue = "other"')
    )
    done = run("convert", "--family", *PATHS, cwd=folder, status=2)
    assert 'queue="other"' in done.stderr


def test_what_is_no_family(folder: Path) -> None:
    (folder / "slurm2flyte.toml").write_text(SITE)
    other = folder / "lumi" / "train.sh"
    other.write_text(other.read_text().replace("--epochs 90", "--epochs 91"))
    done = run("convert", "--family", *PATHS, cwd=folder, status=2)
    assert "no copies of one script" in done.stderr
    done = run("convert", "--family", PATHS[0], cwd=folder, status=2)
    assert "two scripts or more" in done.stderr
