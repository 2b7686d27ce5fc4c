"""The converted drivers run the same jobs as real Slurm did, in an order that it allows."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cases import CASES as BY_HAND
from cases import DAGS

HERE = Path(__file__).parent
ANSWERS: dict[str, Any] = json.loads((HERE / "answers.json").read_text())
GAPS: dict[str, str] = json.loads((HERE / "gaps.json").read_text())
BINARY = os.environ.get(
    "S2F_BINARY", str(HERE.parents[1] / "build" / "dev" / "slurm2flyte")
)
# Of the random ones every tenth; S2F_EVERY_DAG=1 for all.
STEP = 1 if os.environ.get("S2F_EVERY_DAG") else 10
CASES = BY_HAND | dict(list(DAGS.items())[::STEP])
ALL = [(name, fail) for name, case in CASES.items() for fail in case.runs()]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Path]]:
    """Of each case and failing job: what went wrong, and the folder."""
    top = tmp_path_factory.mktemp("drivers")
    wanted, keys, found = [], [], {}
    for name, fail in ALL:
        folder = top / f"{name}_{fail or 'none'}"
        for file, text in CASES[name].files().items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        done = subprocess.run(
            [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1) or not (folder / "submit_flyte.py").exists():
            found[f"{name}|{fail}"] = (f"not converted: {done.stderr}", folder)
            continue
        review = json.loads((folder / "review.json").read_text())
        if review["inputs"][0]["verdict"] == "not_converted":
            why = [each["message"] for each in review["inputs"][0]["findings"]]
            found[f"{name}|{fail}"] = (f"not converted: {why}", folder)
            continue
        wanted.append(
            {
                "folder": str(folder),
                "module": "submit_flyte.py",
                "entry": CASES[name].entry,
                "arguments": CASES[name].arguments,
                "folders": CASES[name].folders,
                "environment": {"FAIL": fail} if fail else {},
            }
        )
        keys.append(f"{name}|{fail}")
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SLURM", "SBATCH", "FLYTE"))
    }
    ran = subprocess.run(
        [sys.executable, str(HERE / "run_modules.py")],
        input=json.dumps(wanted),
        env=environment | {"HOME": str(top)},
        capture_output=True,
        text=True,
        check=True,
    )
    errors = json.loads(ran.stdout.splitlines()[-1])
    for key, each, error in zip(keys, wanted, errors, strict=True):
        found[key] = (error, Path(each["folder"]))
    return found


def waits_for_whole_arrays(folder: Path) -> bool:
    """Whether the review says that an element became the whole array."""
    review = json.loads((folder / "review.json").read_text())
    return any(
        each["rule"] in ("S2F321", "S2F340")
        for one in review["inputs"]
        for each in one["findings"]
    )


@pytest.mark.parametrize(
    ("name", "fail"), ALL, ids=[f"{name}-{fail or 'none'}" for name, fail in ALL]
)
def test_driver_runs_as_under_slurm(
    name: str,
    fail: str,
    outcomes: dict[str, tuple[str, Path]],
    request: pytest.FixtureRequest,
) -> None:
    if reason := GAPS.get(name):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    error, folder = outcomes[f"{name}|{fail}"]
    answer = ANSWERS[f"{name}|{fail}"]
    if name.startswith("array_dag") and waits_for_whole_arrays(folder):
        request.applymarker(pytest.mark.xfail(reason="announced: S2F321 or S2F340"))
    log = folder / "log.txt"
    lines = log.read_text().splitlines() if log.exists() else []
    ran = Counter(line[6:] for line in lines if line.startswith("start "))
    assert ran == Counter(answer["ran"]), error
    for first, second in [*answer["order"], *CASES[name].order]:
        if ran[first] == ran[second] == 1:
            assert lines.index(f"end {first}") < lines.index(f"start {second}")
    if CASES[name].tried_again:
        assert not error
        assert "S2F368" in (folder / "review.json").read_text()
    else:
        assert bool(error) == answer["failed"], error
