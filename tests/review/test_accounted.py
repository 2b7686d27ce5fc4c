"""What a review calls converted stands in the module: in lines that hold more than a comment."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "corpus"), str(ROOT / "tests" / "judge")]

from accounted import account_of
from golden_cases import run_binary

GOLDEN = sorted(path.parent for path in (ROOT / "tests" / "golden").glob("*/expected"))
SCRIPTS = sorted((ROOT / "tests" / "behaviour" / "cases").glob("*/job.sh"))


def lost(review: dict, module: Path) -> list[str]:
    if not module.exists():
        return []
    account = account_of(review, module.read_text())
    return [f"{one.line}: {one.text}: {one.why}" for one in account.lost]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda path: path.name)
def test_golden_modules_hold_what_was_converted(case: Path) -> None:
    report = case / "expected" / "review.json"
    if not report.exists():
        pytest.skip("no review")
    for one in json.loads(report.read_text())["inputs"]:
        if one.get("output"):
            assert not lost(one, case / "expected" / one["output"])


def test_modules_of_the_behaviour_cases_do(tmp_path: Path) -> None:
    found = []
    for script in SCRIPTS:
        folder = tmp_path / script.parent.name
        folder.mkdir()
        (folder / "job.sh").write_bytes(script.read_bytes())
    options = ["-q", "--fail-on", "never", "--report", "review.json"]
    run_binary("convert", *options, ".", cwd=tmp_path)
    for one in json.loads((tmp_path / "review.json").read_text())["inputs"]:
        module = tmp_path / (one.get("output") or "none")
        found += [f"{one['path']}:{each}" for each in lost(one, module)]
    assert not found, "\n".join(found)
