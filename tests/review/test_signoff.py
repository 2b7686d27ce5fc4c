"""The sign-off file: what is accepted stays accepted until its text changes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """#!/bin/bash
#SBATCH --partition=gpu
#SBATCH --requeue
#SBATCH --mem=8G
#SBATCH --time=1:00:00
python train.py --lr 3e-4
"""
WHO = ("--who", "ada", "--date", "2026-01-31")


def run(
    *arguments: str, cwd: Path, status: int | None = 0
) -> subprocess.CompletedProcess[str]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    if status is not None:
        assert done.returncode == status, done.stdout + done.stderr
    return done


def findings(folder: Path, script: str = "train.sh") -> dict[str, dict[str, Any]]:
    run("convert", script, "-q", "--force", "--report", "r.json", cwd=folder)
    report = json.loads((folder / "r.json").read_text())
    return {f["rule"]: f for f in report["inputs"][0]["findings"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.sh").write_text(SCRIPT)
    (tmp_path / "train.py").write_text("print(1)\n")
    return tmp_path


def test_accepting_closes_and_stays(folder: Path) -> None:
    assert (
        "2 decisions open, 0 accepted"
        in run("signoff", "list", "train.sh", cwd=folder).stdout
    )
    run("signoff", "check", "train.sh", cwd=folder, status=1)
    run(
        "signoff",
        "accept",
        "train.sh",
        "--all",
        *WHO,
        "--reason",
        "same name",
        cwd=folder,
    )
    run("signoff", "check", "train.sh", cwd=folder)
    found = findings(folder)
    assert found["S2F210"]["accepted"] == {
        "by": "sign-off",
        "place": "slurm2flyte.signoff.json",
        "answer": None,
        "who": "ada",
        "date": "2026-01-31",
        "reason": "same name",
    }
    run("convert", "train.sh", "-q", "--fail-on", "decision", cwd=folder)
    # An edit somewhere else moves lines, and reopens nothing.
    (folder / "train.sh").write_text(
        SCRIPT.replace("#!/bin/bash\n", "#!/bin/bash\n# why\n\n")
    )
    run("signoff", "check", "train.sh", cwd=folder)
    # Nor does a blank more or less.
    (folder / "train.sh").write_text(SCRIPT.replace("#SBATCH --req", "#SBATCH   --req"))
    run("signoff", "check", "train.sh", cwd=folder)


def test_a_changed_script_reopens(folder: Path) -> None:
    run("signoff", "accept", "train.sh", "--rule", "S2F210", *WHO, cwd=folder)
    (folder / "train.sh").write_text(SCRIPT.replace("=gpu", "=gpu-large"))
    found = findings(folder)
    assert "accepted" not in found["S2F210"]
    assert found["S2F902"]["message"] == (
        "ada on 2026-01-31 signed S2F210 for `--partition=gpu`; "
        "the script has changed there since."
    )
    assert found["S2F902"]["line"] == 2
    run("signoff", "prune", "train.sh", cwd=folder)
    assert "S2F902" not in findings(folder)


def test_a_changed_module_reopens(folder: Path) -> None:
    run("signoff", "accept", "train.sh", "--rule", "S2F220", *WHO, cwd=folder)
    sign_off = json.loads((folder / "slurm2flyte.signoff.json").read_text())
    assert "accepted" in findings(folder)["S2F220"]
    sign_off["entries"][0]["output"] = "0" * 12
    (folder / "slurm2flyte.signoff.json").write_text(json.dumps(sign_off))
    found = findings(folder)
    assert "accepted" not in found["S2F220"]
    assert "the module has changed" in found["S2F902"]["message"]


def test_a_new_question_fails_the_check(folder: Path) -> None:
    run("signoff", "accept", "train.sh", "--all", *WHO, cwd=folder)
    (folder / "train.sh").write_text(
        SCRIPT.replace("#SBATCH --mem", "#SBATCH --exclusive\n#SBATCH --mem")
    )
    done = run("signoff", "check", "train.sh", cwd=folder, status=1)
    assert "S2F213" in done.stdout and "S2F210" not in done.stdout
    run(
        "convert",
        "train.sh",
        "-q",
        "--force",
        "--fail-on",
        "decision",
        cwd=folder,
        status=1,
    )


def test_refusing_and_answering_keep_it_open(folder: Path) -> None:
    run(
        "signoff",
        "reject",
        "train.sh",
        "--rule",
        "S2F210",
        *WHO,
        "--reason",
        "no such queue",
        cwd=folder,
    )
    run(
        "signoff",
        "accept",
        "train.sh",
        "--rule",
        "S2F220",
        "--answer",
        "no retries",
        *WHO,
        cwd=folder,
    )
    run("convert", "train.sh", "-q", "--report", "r.json", cwd=folder)
    report = json.loads((folder / "r.json").read_text())["inputs"][0]["findings"]
    assert not any("accepted" in f for f in report)
    said = [f["message"] for f in report if f["rule"] == "S2F905"]
    assert (
        "ada on 2026-01-31 refused S2F210 (no such queue); the module does not follow that yet."
        in said
    )
    assert (
        "ada on 2026-01-31 answered S2F220: no retries; the module does not follow that yet."
        in said
    )


def test_the_file_is_stable_and_follows_its_schema(folder: Path) -> None:
    (folder / "jobs").mkdir()
    (folder / "jobs" / "b.sh").write_text(SCRIPT)
    (folder / ".git").mkdir()
    run("signoff", "accept", "jobs/b.sh", "train.sh", "--all", *WHO, cwd=folder)
    text = (folder / "slurm2flyte.signoff.json").read_text()
    schema = json.loads((ROOT / "docs" / "schema" / "signoff.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(text), schema)
    scripts = [entry["script"] for entry in json.loads(text)["entries"]]
    assert scripts == sorted(scripts) and set(scripts) == {"jobs/b.sh", "train.sh"}
    # From elsewhere, in another order: the same file.
    run("signoff", "accept", "../train.sh", "b.sh", "--all", *WHO, cwd=folder / "jobs")
    run("signoff", "check", "b.sh", "../train.sh", cwd=folder / "jobs")
    assert (folder / "slurm2flyte.signoff.json").read_text() == text
    assert not (folder / "jobs" / "slurm2flyte.signoff.json").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not valid JSON"),
        ("[]", "`schema` must be"),
        ('{"schema": "slurm2flyte-signoff/2", "entries": []}', "`schema` must be"),
        ('{"schema": "slurm2flyte-signoff/1"}', "`entries`"),
        ('{"schema": "slurm2flyte-signoff/1", "entries": [1]}', "entry 1"),
        (
            (
                '{"schema": "slurm2flyte-signoff/1", "entries": [{"script": "a", "id": "b", '
                '"rule": "c", "who": "d", "state": "fine"}]}'
            ),
            "`state`",
        ),
    ],
)
def test_a_broken_file_stops_everything(folder: Path, text: str, says: str) -> None:
    (folder / "slurm2flyte.signoff.json").write_text(text)
    done = run("convert", "train.sh", cwd=folder, status=2)
    assert says in " ".join(done.stderr.split())
    assert not (folder / "train_flyte.py").exists()


def test_misuse(folder: Path) -> None:
    for arguments, says in (
        (("acept", "train.sh"), "did you mean accept?"),
        (("accept", "train.sh", "--all"), "--who"),
        (("accept", "train.sh", *WHO), "--id"),
        (("reject", "train.sh", "--all", *WHO), "--reason"),
        (
            ("accept", "train.sh", "--id", "nonsense", *WHO),
            "no finding has the id nonsense",
        ),
        (("import", "train.sh"), "--from"),
    ):
        said = run("signoff", *arguments, cwd=folder, status=2).stderr
        assert says in " ".join(said.split())


def test_comments_ignore(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(
        "#!/bin/bash\n"
        "# slurm2flyte: ignore[S2F205] short jobs\n"
        "# slurm2flyte: ignore[S2F210, S2F223] the queue has that name\n"
        "#SBATCH --partition=gpu\n"
        "# slurm2flyte: ignore[S2F220] gone\n"
        "#SBATCH --mem=8G\n"
        "source /opt/env/bin/activate # slurm2flyte: ignore[S2F501] nothing in it\n"
        "python x.py\n"
    )
    run(
        "convert",
        "a.sh",
        "-q",
        "--report",
        "r.json",
        "--fail-on",
        "decision",
        cwd=tmp_path,
    )
    report = json.loads((tmp_path / "r.json").read_text())["inputs"][0]["findings"]
    accepted = {f["rule"]: f["accepted"] for f in report if "accepted" in f}
    assert set(accepted) == {"S2F205", "S2F210", "S2F501"}
    assert accepted["S2F210"]["place"] == "a.sh:3"
    assert accepted["S2F210"]["reason"] == "the queue has that name"
    unused = [f["message"] for f in report if f["rule"] == "S2F903"]
    assert unused == ["Nothing here raises S2F223.", "Nothing here raises S2F220."]


def test_errors_cannot_be_signed_away(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(
        "#!/bin/bash\n# slurm2flyte: ignore[S2F110] we know\n#SBATCH --mem=nonsense\ntrue\n"
    )
    run("convert", "a.sh", "-q", cwd=tmp_path, status=1)
