"""Runs converted modules with `flyte run --local`: they print and write what the script did."""

import collections
import datetime
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import pytest
from golden_cases import Case, cases
from hand_written import HandWritten, hand_written_cases

# Directories that clusters share; in a test they lie in the test's own folder.
SHARED = re.compile(r"(?<![\w.])/(scratch|project|data)\b")
# What the SDK prints by itself.
SDK_LINE = re.compile(r"\x1b|\d\d:\d\d:\d\d\.\d+ | {20}")


@dataclass
class Stage:
    """A folder to run in, with a home and shared directories of its own."""

    top: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def work(self) -> Path:
        return self.top / "work"

    def prepare(self) -> None:
        for name in (
            "home/tmp",
            "scratch/alice",
            "project/raw",
            "project/out",
            "project/genomes",
            "project/reads",
            "data/tokens",
        ):
            (self.top / name).mkdir(parents=True)
        for script in self.work.glob("*.sh"):
            text = SHARED.sub(
                lambda found: str(self.top / found[1]), script.read_text()
            )
            script.write_text(text)

    def environment(self) -> dict[str, str]:
        python = str(Path(sys.executable).parent)
        own = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("SLURM", "SBATCH", "FLYTE"))
        }
        return own | {
            "HOME": str(self.top / "home"),
            "USER": "alice",
            "TMPDIR": str(self.top / "home" / "tmp"),
            "PATH": f"{self.work / 'bin'}:{python}:/usr/local/bin:/usr/bin:/bin",
            "TZ": "UTC",
            **self.variables,
        }

    def files(self) -> dict[str, Path]:
        found = {}
        for name in ("work", "home/tmp", "scratch", "project"):
            for path in sorted((self.top / name).rglob("*")):
                inside = path.relative_to(self.top)
                if path.is_file() and not {"__pycache__", "flyte"} & set(inside.parts):
                    found[str(inside)] = path
        return found

    def plain(self, text: str) -> str:
        """Without what differs from run to run."""
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        text = text.replace(str(self.work), "$PWD").replace(str(self.top), "")
        return re.sub(r"-[a-z0-9_]{8}(?=/|\b)", "", text.replace(today, "$TODAY"))


@dataclass
class Outcome:
    ok: bool
    lines: list[str]
    files: set[tuple[str, str]]  # a returned file may lie elsewhere: by name and text
    log: str


def flyte_run(stage: Stage, module: str, arguments: list[str]) -> Outcome:
    before = {name: path.stat().st_mtime_ns for name, path in stage.files().items()}
    flyte = Path(sys.executable).parent / "flyte"
    done = subprocess.run(
        [flyte, "run", "--local", module, *arguments],
        cwd=stage.work,
        env=stage.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    lines = [
        line
        for line in stage.plain(done.stdout).splitlines()
        if not SDK_LINE.match(line)
    ]
    made = {
        (path.name, stage.plain(path.read_text(errors="replace")))
        for name, path in stage.files().items()
        if before.get(name) != path.stat().st_mtime_ns
    }
    return Outcome(
        done.returncode == 0, lines, made, done.stdout[-2000:] + done.stderr[-2000:]
    )


RUNS = [(case, run) for case in cases() for run in (case.run or {}).get("runs", [])]


@pytest.mark.parametrize(
    ("case", "run"), RUNS, ids=lambda value: getattr(value, "name", "")
)
def test_golden_runs(case: Case, run: dict[str, Any], tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    case.convert(stage.work)
    for program in run.get("needs", []):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    stage.prepare()
    outcome = flyte_run(stage, run["module"], run["arguments"])
    assert outcome.ok == run.get("ok", True), outcome.log
    assert outcome.lines == run["stdout"], outcome.log
    for name, text in run.get("files", {}).items():
        assert (PurePath(name).name, text) in outcome.files, name


HAND_WRITTEN = [
    pytest.param(case, run, id=f"{case.name}: {run['what']}")
    for case in hand_written_cases()
    for run in case.runs
    if "flyte" in run
]


@pytest.mark.parametrize(("case", "run"), HAND_WRITTEN)
def test_hand_written_runs_as_under_slurm(
    case: HandWritten,
    run: dict[str, Any],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    if reason := case.gap(run["what"]):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    stage = Stage(tmp_path, run.get("flyte_env", {}))
    case.copy_inputs(stage.work)
    for name, text in run.get("files", {}).items():
        (stage.work / name).write_text(text)
    for name in run.get("remove", []):
        (stage.work / name).unlink()
    for name in run.get("mkdir", []):
        (stage.work / name).mkdir(exist_ok=True)
    stage.prepare()
    for source, target in run.get("shared", {}).items():
        shutil.copy(stage.work / source, stage.top / target.lstrip("/"))
    review = case.convert_here(stage.work)
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
