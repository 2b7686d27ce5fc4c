"""The migrations that were first done by hand (tests/goldens): to convert, run and compare with."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from golden_cases import ROOT, run_binary

FOLDER = ROOT / "tests" / "goldens"
NOT_INPUT = ("scripts", "by_hand", "slurm.json")


@dataclass(frozen=True)
class HandWritten:
    name: str
    scripts: list[str]

    def copy_inputs(self, to: Path) -> None:
        ignored = shutil.ignore_patterns(*NOT_INPUT)
        shutil.copytree(FOLDER / self.name, to, dirs_exist_ok=True, ignore=ignored)

    def convert_here(self, folder: Path) -> dict[str, Any]:
        """Converts the scripts that lie in `folder`; the review."""
        done = run_binary(
            "convert", *self.scripts, "--report", "review.json", cwd=folder
        )
        assert done.returncode in (0, 1), done.stderr
        return json.loads((folder / "review.json").read_text())

    def convert(self, to: Path) -> dict[str, Any]:
        self.copy_inputs(to)
        return self.convert_here(to)

    @property
    def runs(self) -> list[dict[str, Any]]:
        """What real Slurm did, run by run."""
        return json.loads((FOLDER / self.name / "slurm.json").read_text())["runs"]

    def gap(self, what: str) -> str | None:
        """Why a run is known to differ, as long as the compiler does not do better."""
        gaps = json.loads((FOLDER / "gaps.json").read_text())
        of_case = gaps.get(self.name, {})
        return of_case.get(what) or of_case.get("*")


def hand_written_cases() -> list[HandWritten]:
    return [
        HandWritten(path.parent.name, path.read_text().splitlines())
        for path in sorted(FOLDER.glob("*/scripts"))
    ]
