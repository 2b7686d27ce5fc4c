"""What the migration guide maps, row for row and script for script, and what this program makes of it.

cases.json holds the rows in words of our own: scripts, what stands in the module, the findings, and
under `differs` a heading of docs/guides/compared-with-the-guide.md, which says why ours is not what
the guide shows. With S2F_GUIDE, a directory with the guide's documents, each script in them is
converted too.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or HERE.parents[1])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
PAGE = ROOT / "docs" / "guides" / "compared-with-the-guide.md"
CASES: list[dict[str, Any]] = json.loads((HERE / "cases.json").read_text())
sys.path[:0] = [str(ROOT / "tests" / "judge"), str(ROOT / "tests" / "review")]
from proof import check
from safe_module import problems_of


def converted(folder: Path, paths: list[str]) -> tuple[str, list[dict[str, Any]]]:
    """The module, and the reviews of the scripts."""
    done = subprocess.run(
        [BINARY, "convert", "-q", *paths, "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    inputs = json.loads((folder / "review.json").read_text())["inputs"]
    modules = sorted(folder.glob("*_flyte.py"))
    return "\n".join(path.read_text() for path in modules), inputs


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_row(case: dict[str, Any], tmp_path: Path) -> None:
    for name, text in case["files"].items():
        (tmp_path / name).write_text(text)
    scripts = [name for name in case["files"] if name.endswith(".sh")]
    module, inputs = converted(tmp_path, case.get("arguments", scripts))
    for part in case["has"]:
        assert part in module, f"{part} is not in\n{module}"
    for part in case.get("lacks", []):
        assert part not in module, f"{part} is in\n{module}"
    found = {finding["rule"] for each in inputs for finding in each["findings"]}
    assert set(case.get("rules", [])) <= found
    if "verdict" in case:
        assert inputs[0]["verdict"] == case["verdict"]
    for path in tmp_path.glob("*_flyte.py"):
        assert problems_of(path.read_text()) == []
    for each in inputs:
        assert each["lines_accounted"] == each["lines"]


def test_each_difference_has_its_reason() -> None:
    headings = set(re.findall(r"^### .*\{#([\w-]+)\}$", PAGE.read_text(), re.MULTILINE))
    assert headings == {case["differs"] for case in CASES if "differs" in case}


def scripts_of_the_guide() -> list[tuple[str, str]]:
    """Each block of a document that has directives or submits something."""
    found = []
    for path in sorted(Path(os.environ.get("S2F_GUIDE", "/nowhere")).glob("*")):
        text = path.read_text(errors="replace")
        blocks = re.findall(r"^```bash\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        blocks += re.findall(r"^(#!/bin/bash\n.*?)(?=\n\n[A-Z]|\n```)", text, re.DOTALL | re.MULTILINE)  # fmt: skip
        blocks += re.findall(r"^(#SBATCH .*?)(?=\n\n)", text, re.DOTALL | re.MULTILINE)
        for number, block in enumerate(dict.fromkeys(blocks)):
            if re.search(r"#SBATCH|\bsbatch\b|\bsrun\b|/scratch", block):
                found.append((f"{path.stem}-{number}", block))
    return found


@pytest.mark.parametrize("script", scripts_of_the_guide(), ids=lambda script: script[0])
def test_script_of_the_guide(script: tuple[str, str], tmp_path: Path) -> None:
    name, text = script
    if not text.startswith("#!"):
        text = "#!/bin/bash\n" + text
    (tmp_path / "job.sh").write_text(text)
    module, inputs = converted(tmp_path, ["job.sh"])
    assert inputs[0]["lines_accounted"] == inputs[0]["lines"], name
    assert problems_of(module) == []
    review = json.loads((tmp_path / "review.json").read_text())
    assert check(review, tmp_path, tmp_path) == []
