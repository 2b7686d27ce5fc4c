"""Runs a module with `flyte run --local`, and keeps what it printed and wrote."""

import datetime
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

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
        for script in (*self.work.glob("*.sh"), *self.work.glob("*_flyte.py")):
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
