"""The ledger's proof, checked again from the JSON alone: no line of a script without an item."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted(p.parent for p in (ROOT / "tests" / "golden").glob("*/arguments"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_line_is_accounted_for(case: Path, tmp_path: Path) -> None:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    scripts = [
        word
        for word in (case / "arguments").read_text().split("\n")
        if word and not word.startswith("-") and (case / word).is_file()
    ]
    if not scripts:
        pytest.skip("no script by name")
    subprocess.run(
        [
            binary,
            "convert",
            *scripts,
            "-q",
            "--out-dir",
            str(tmp_path),
            "--report",
            str(tmp_path / "r.json"),
        ],
        cwd=case,
        capture_output=True,
        check=False,
    )
    report = json.loads((tmp_path / "r.json").read_text())
    accounted = 0
    for script in report["inputs"]:
        lines = (case / script["path"]).read_bytes().decode("latin-1").split("\n")
        content = {n for n, line in enumerate(lines, 1) if line.strip(" \t\r\f\v")}
        covered = {
            n
            for item in script["items"]
            if item["disposition"] != "open"
            for n in range(item["line"], item["end_line"] + 1)
        }
        assert content <= covered, content - covered
        assert script["lines"] == script["lines_accounted"]
        accounted += script["lines_accounted"]
        if script["output"]:
            module = Path(script["output"])
            if not module.is_absolute():
                module = tmp_path / module
            lines_of_module = len(module.read_text().splitlines())
            cited = {n for item in script["items"] for n in item["output_lines"]}
            cited |= {n for f in script["findings"] for n in f["output_lines"]}
            assert all(1 <= n <= lines_of_module for n in cited)
        for item in script["items"]:
            if item["disposition"] in ("decision", "adjusted"):
                assert item["rule"], item
    assert report["summary"]["lines_accounted"] == accounted
