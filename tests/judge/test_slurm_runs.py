"""Modules print, write and end as real Slurm did with the scripts, also where something fails."""

import collections
import os
import shutil
from pathlib import Path, PurePath
from typing import Any

import pytest
from hand_written import HandWritten, hand_written_cases
from local_run import Stage, flyte_run

SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))
# Each takes seconds: without --all the first one of each case, in which nothing fails.
RUNS = [
    pytest.param(case, run, id=f"{case.name}: {run['what']}")
    for case in hand_written_cases()
    for run in [run for run in case.runs if "flyte" in run][: None if SLOW else 1]
]


@pytest.mark.parametrize(("case", "run"), RUNS)
def test_hand_written_runs_as_under_slurm(
    case: HandWritten,
    run: dict[str, Any],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    if reason := case.gap(run["what"]):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    variables = run.get("env", {}) | run.get("flyte_env", {})
    stage = Stage(tmp_path, variables)
    case.copy_inputs(stage.work)
    # Paths below /tmp would be no paths of the cluster.
    review = case.convert_here(stage.work)
    for name, text in run.get("files", {}).items():
        (stage.work / name).parent.mkdir(exist_ok=True)
        (stage.work / name).write_text(text)
    for name in run.get("remove", []):
        (stage.work / name).unlink()
    for name in run.get("mkdir", []):
        (stage.work / name).mkdir(exist_ok=True)
    stage.prepare()
    for source, target in run.get("shared", {}).items():
        shutil.copy(stage.work / source, stage.top / target.lstrip("/"))
    one = next(one for one in review["inputs"] if one["path"] == case.scripts[0])
    outcome = flyte_run(stage, one["output"], [one["entry"], *run["flyte"][1:]])

    jobs, differs = run["slurm"]["jobs"], run.get("differs", {})
    needed = [job for job in jobs if job["name"] not in run.get("not_needed", [])]
    if "status" not in differs:
        assert outcome.ok == all(job["state"] == "COMPLETED" for job in needed), (
            outcome.log
        )
    if "stdout" not in differs:
        printed = collections.Counter(
            line for job in jobs for line in job.get("stdout", [])
        )
        assert collections.Counter(outcome.lines) == printed, outcome.log
    if "files" not in differs:
        wanted = {
            (PurePath(name).name, text) for name, text in run["slurm"]["files"].items()
        }
        assert wanted <= outcome.files, outcome.log
