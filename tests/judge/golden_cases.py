"""The golden cases: what is converted, with what, and what must come out.

A case is a folder of tests/golden: scripts and payloads, `arguments` (one a line, what stands after
`slurm2flyte convert`), and `expected/` with the modules, the review and what the terminal shows.
With a file `from` the inputs are those of another folder, named from the top of the checkout.
`run.json`, where there is one, says what a local run prints and writes.

    python tests/judge/golden_cases.py update [CASE...]    rewrite expected/; then read the diff
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
GOLDEN = ROOT / "tests" / "golden"
NOT_INPUT = ("arguments", "from", "run.json", "expected")


def binary() -> str:
    return os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


@dataclass(frozen=True)
class Case:
    name: str

    @property
    def folder(self) -> Path:
        return GOLDEN / self.name

    @property
    def expected(self) -> Path:
        return self.folder / "expected"

    @property
    def arguments(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()

    @property
    def run(self) -> dict[str, Any] | None:
        file = self.folder / "run.json"
        return json.loads(file.read_text()) if file.exists() else None

    def copy_inputs(self, to: Path) -> None:
        source = self.folder / "from"
        folder = ROOT / source.read_text().strip() if source.exists() else self.folder
        shutil.copytree(
            folder, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*NOT_INPUT)
        )

    def convert(self, to: Path) -> dict[str, str]:
        """Converts a copy of the case in the empty folder `to`; what came out, by file name."""
        self.copy_inputs(to)
        before = {path for path in to.rglob("*") if path.is_file()}
        done = run_binary("convert", *self.arguments, "--report", "review.json", cwd=to)
        outputs = {
            "terminal.txt": f"{done.stdout}{done.stderr}exit status {done.returncode}\n",
        }
        for path in sorted(set(to.rglob("*")) - before):
            if path.is_file():
                outputs[path.relative_to(to).as_posix()] = without_version(
                    path.read_text()
                )
        return outputs

    def expectation(self) -> dict[str, str]:
        return {
            path.relative_to(self.expected).as_posix(): path.read_text()
            for path in sorted(self.expected.rglob("*"))
            if path.is_file()
        }


def run_binary(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "CLICOLOR_FORCE")
    }
    return subprocess.run(
        [binary(), *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def without_version(text: str) -> str:
    """So that a release changes no golden file; reviews for people are sealed with a hash of it."""
    text = re.sub(r"slurm2flyte \d+\.\d+\.\d+", "slurm2flyte VERSION", text)
    return re.sub(r"(<!-- slurm2flyte: sha256 of the text above: )\w+", r"\1HASH", text)


def cases() -> list[Case]:
    return [Case(path.parent.name) for path in sorted(GOLDEN.glob("*/arguments"))]


def update(names: list[str]) -> None:
    for case in cases():
        if names and case.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            outputs = case.convert(Path(folder))
        shutil.rmtree(case.expected, ignore_errors=True)
        for name, text in outputs.items():
            path = case.expected / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        print(f"{case.name}: {', '.join(outputs)}")


if __name__ == "__main__":
    if sys.argv[1:2] != ["update"]:
        sys.exit(__doc__)
    update(sys.argv[2:])
