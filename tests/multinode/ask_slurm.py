#!/usr/bin/env python3
"""Asks real Slurm what the ranks of each launch see, and writes answers.json.

Starts a Slurm of its own with four made-up nodes; GPUs are not asked for. The launchers are those of
bin/, which give their ranks what torchrun does: nothing of torch is needed.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from launches import Launch, launches

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "behaviour"))
from slurm_cluster import Cluster

SECONDS = 60.0
ANSWERS = HERE / "answers.json"


def stage(launch: Launch, folder: Path) -> Path:
    """Writes the script and the files beside it."""
    script = folder / "job.sh"
    for name, text in {**launch.beside(), "job.sh": launch.script}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return script


def answers(wanted: list[Launch]) -> dict[str, list[str]]:
    """The lines of the ranks of each, in order."""
    with Cluster(nodes=4) as cluster, tempfile.TemporaryDirectory() as name:
        variables = {**os.environ, "PATH": f"{HERE / 'bin'}:{os.environ['PATH']}"}
        folders = {}
        for launch in wanted:
            folder = Path(name).resolve() / launch.name
            folder.mkdir()
            stage(launch, folder)
            options = ("--parsable", "--gres=none", "--output=out")
            done = cluster.client(
                "sbatch", *options, "job.sh", env=variables, cwd=folder
            )
            if done.returncode != 0:
                raise RuntimeError(f"{launch.name}: {done.stderr}")
            folders[done.stdout.strip()] = folder
        cluster.wait(set(folders), SECONDS)
        told = {}
        for folder in folders.values():
            lines = (folder / "out").read_text().splitlines()
            told[folder.name] = sorted(line for line in lines if line.startswith("{"))
        return told


def main() -> None:
    """All of them, or those that are named."""
    asked = {each.name: each for each in launches() if each.asked}
    known = json.loads(ANSWERS.read_text())
    new = answers([asked[name] for name in sys.argv[1:] or asked])
    told = {name: new.get(name) or known[name] for name in asked}
    ANSWERS.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
