"""The ledger's proof, checked again from the JSON alone; and the check itself, on forged reviews."""

from __future__ import annotations

import copy
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from proof import check, kept_lines, lines_of

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted(p.parent for p in (ROOT / "tests" / "golden").glob("*/arguments"))


def reviewed(case: Path, to: Path) -> dict[str, Any]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    arguments = [w for w in (case / "arguments").read_text().split("\n") if w]
    subprocess.run(
        [
            binary,
            "convert",
            *arguments,
            "-q",
            "--out-dir",
            str(to),
            "--report",
            str(to / "r.json"),
        ],
        cwd=case,
        capture_output=True,
        check=False,
    )
    if not (to / "r.json").exists():
        pytest.skip("the case names outputs of its own")
    return json.loads((to / "r.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_line_is_accounted_for(case: Path, tmp_path: Path) -> None:
    assert check(reviewed(case, tmp_path), case, tmp_path) == []


def test_kept_lines_are_looked_at(tmp_path: Path) -> None:
    """The check of kept text finds something to check in the goldens."""
    counted = 0
    for name in ("kept_loop", "mpi", "staging"):
        case = ROOT / "tests" / "golden" / name
        for script in reviewed(case, tmp_path / name)["inputs"]:
            counted += len(kept_lines(script, lines_of(case / script["path"])))
    assert counted >= 5


def drop_item(script: dict[str, Any]) -> None:
    line = script["items"][-1]["line"]
    script["items"] = [i for i in script["items"] if i["end_line"] < line]


def leave_open(script: dict[str, Any]) -> None:
    for item in script["items"]:
        item["disposition"] = "open"


def cite_beyond(script: dict[str, Any]) -> None:
    item = next(i for i in script["items"] if i["output_lines"])
    item["output_lines"] = [99999]
    item["output_ranges"] = "99999"


def fold_wrongly(script: dict[str, Any]) -> None:
    item = next(i for i in script["items"] if i["output_lines"])
    item["output_ranges"] = "1-2"


def count_wrongly(script: dict[str, Any]) -> None:
    script["lines"] += 1


def keep_what_was_changed(script: dict[str, Any]) -> None:
    item = next(i for i in script["items"] if i["text"].startswith("--mem"))
    item.update(disposition="kept", text="x")
    item["line"] = item["end_line"] = script["items"][-1]["line"]
    script["items"] = [
        i for i in script["items"] if i is item or i["line"] != item["line"]
    ]
    script["findings"] = []


@pytest.mark.parametrize(
    "forge",
    [
        drop_item,
        leave_open,
        cite_beyond,
        fold_wrongly,
        count_wrongly,
        keep_what_was_changed,
    ],
    ids=lambda forge: forge.__name__,
)
def test_a_forged_proof_is_found(
    forge: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    case = ROOT / "tests" / "golden" / "single_gpu"
    review = reviewed(case, tmp_path)
    assert check(review, case, tmp_path) == []
    forged = copy.deepcopy(review)
    forge(forged["inputs"][0])
    assert check(forged, case, tmp_path) != []
