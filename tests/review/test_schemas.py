"""Checks the published JSON schemas and that the program's review and inspection follow them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """#!/bin/bash
#SBATCH --job-name=train
#SBATCH --partition=gpu
#SBATCH --gres=gpu:a100:8
#SBATCH --mem=64G
##SBATCH --time=1

python train.py --lr 3e-4
"""


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def run(*arguments: str, cwd: Path) -> str:
    """Standard output of the program; skips while it has no such command."""
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    if not done.stdout.startswith("{"):
        pytest.skip(f"no JSON from {arguments[0]}")
    return done.stdout


@pytest.mark.parametrize("name", ["review", "inspect", "audit"])
def test_schema_is_valid(name: str) -> None:
    assert validator(name).schema["$id"] == f"slurm2flyte-{name}/1"


def test_schema_follows_the_rules_table() -> None:
    rules = json.loads((ROOT / "grammar" / "rules.json").read_text())["rows"]
    finding = validator("review").schema["$defs"]["finding"]["properties"]
    assert finding["severity"]["enum"] == ["note", "warning", "decision", "error"]
    assert {rule["severity"] for rule in rules} <= set(finding["severity"]["enum"])


def test_audit_follows_its_schema(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    (tmp_path / "copy.sh").write_text(SCRIPT.replace("gpu\n", "a100\n"))
    (tmp_path / "mpi.sh").write_text("#!/bin/bash\n#SBATCH -n 64\nmpirun ./solver\n")
    audit = json.loads(run("audit", ".", "--format", "json", cwd=tmp_path))
    validator("audit").validate(audit)
    assert sum(len(wave["scripts"]) for wave in audit["waves"]) == audit["scripts"] == 3
    assert audit["lines"] == audit["lines_accounted"]
    assert [family["scripts"] for family in audit["families"]] == [
        ["copy.sh", "train.sh"]
    ]
    assert audit["stays_on_slurm"][0]["first"] == "mpi.sh:3"


def test_inspect_follows_its_schema(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    validator("inspect").validate(
        json.loads(run("inspect", "train.sh", "--json", cwd=tmp_path))
    )


def test_review_follows_its_schema(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    (tmp_path / "train.py").write_text("print(1)\n")
    run_review = ("convert", "train.sh", "-o", "out.py", "--report", "review.json")
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    subprocess.run(
        [binary, *run_review], cwd=tmp_path, capture_output=True, check=False
    )
    report = tmp_path / "review.json"
    if not report.exists():
        pytest.skip("no review from convert")
    review = json.loads(report.read_text())
    validator("review").validate(review)
    assert review["summary"]["lines"] == review["summary"]["lines_accounted"] == 7
