"""Golden modules print and write in a local run what the script would have."""

import shutil
from pathlib import Path, PurePath
from typing import Any

import pytest
from golden_cases import Case, cases
from local_run import Stage, flyte_run

RUNS = [(case, run) for case in cases() for run in (case.run or {}).get("runs", [])]


@pytest.mark.parametrize(
    ("case", "run"), RUNS, ids=lambda value: getattr(value, "name", "")
)
def test_golden_runs(
    case: Case, run: dict[str, Any], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if reason := run.get("gap"):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    stage = Stage(tmp_path)
    case.convert(stage.work)
    for program in run.get("needs", []):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    stage.prepare()
    outcome = flyte_run(stage, run["module"], run["arguments"])
    assert outcome.ok == run.get("ok", True), outcome.log
    lines = outcome.lines
    # Jobs that run side by side print in any order.
    beside = run.get("side_by_side", [])
    lines = (
        [*lines[: len(lines) - len(beside) - 1], *beside, *lines[-1:]]
        if (beside and sorted(lines[-len(beside) - 1 : -1]) == sorted(beside))
        else lines
    )
    assert lines == run["stdout"], outcome.log
    for name, text in run.get("files", {}).items():
        assert (PurePath(name).name, text) in outcome.files, name
