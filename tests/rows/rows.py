"""One small job for each row of the tables in grammar/, all of them converted in one run."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BINARY = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))

Row = dict[str, Any]


def table(name: str) -> list[Row]:
    text = (ROOT / "grammar" / f"{name}.json").read_text()
    rows: list[Row] = json.loads(text)["rows"]
    return rows


@dataclass
class Converted:
    """What became of one job."""

    module: str = ""  # "" where none was written
    findings: list[Row] = field(default_factory=list)
    items: list[Row] = field(default_factory=list)

    def raised(self, rule: str) -> bool:
        return any(finding["rule"] == rule for finding in self.findings)

    def said(self, rule: str) -> str:
        return " ".join(
            " ".join(
                [
                    finding["message"],
                    finding["slurm_does"] or "",
                    finding["output_does"] or "",
                ]
            )
            for finding in self.findings
            if finding["rule"] == rule
        )

    @property
    def flat(self) -> str:
        """The module on one line, so that it does not matter where the printer breaks it."""
        return " ".join(self.module.split())


@dataclass
class Case:
    name: str  # the row's key
    script: str  # of the job, without the first line
    check: Callable[[Converted], bool]
    files: dict[str, str] = field(default_factory=dict)


def convert(cases: list[Case], folder: Path) -> list[Converted]:
    for number, case in enumerate(cases):
        place = folder / "in" / f"{number:04}"
        place.mkdir(parents=True)
        (place / "job.sh").write_text(
            f"#!/bin/bash\n#SBATCH --time=10\n{case.script}\n"
        )
        for name, text in case.files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text)
    report = folder / "report.json"
    subprocess.run(
        [BINARY, "convert", "-q", "in", "--out-dir", "out", "--include", "*/job.sh"]
        + ["--fail-on", "never", "--report", str(report)],
        cwd=folder,
        check=True,
    )
    inputs = {
        Path(each["path"]).parent.name: each
        for each in json.loads(report.read_text())["inputs"]
    }
    answers = []
    for number in range(len(cases)):
        found = inputs.get(f"{number:04}")
        module = next((folder / "out").rglob(f"{number:04}/job_flyte.py"), None)
        answers.append(
            Converted(
                module.read_text() if module else "",
                found["findings"] if found else [],
                found["items"] if found else [],
            )
        )
    return answers
