#!/usr/bin/env python3
"""Asks real Slurm what the ranks of each launch see, and writes answers.json.

Needs a cluster with four nodes behind the `sbatch` in PATH; GPUs are not asked for. The launchers
are those of bin/, which give their ranks what torchrun does: nothing of torch is needed.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from launches import Launch, launches

HERE = Path(__file__).parent
ANSWERS = HERE / "answers.json"


def stage(launch: Launch, folder: Path) -> Path:
    """Writes the script and the files beside it."""
    script = folder / "job.sh"
    for name, text in {**launch.beside(), "job.sh": launch.script}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return script


def answer(launch: Launch) -> list[str]:
    """The lines of the ranks, in order."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stage(launch, folder)
        variables = {**os.environ, "PATH": f"{HERE / 'bin'}:{os.environ['PATH']}"}
        subprocess.run(
            ["sbatch", "--wait", "--gres=none", "--output=out", "job.sh"],
            cwd=folder,
            env=variables,
            check=True,
        )
        lines = (folder / "out").read_text().splitlines()
        return sorted(line for line in lines if line.startswith("{"))


def main() -> None:
    """All of them, or those that are named."""
    asked = {each.name: each for each in launches() if each.asked}
    known = json.loads(ANSWERS.read_text())
    new = {name: answer(asked[name]) for name in sys.argv[1:] or asked}
    told = {name: new.get(name) or known[name] for name in asked}
    ANSWERS.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
