#!/usr/bin/env python3
"""How many launches on several nodes come out with the geometry that a reader gave them.

    geometry.py DIRECTORY [--labels FILE] [--binary FILE] [--list]

The labels name a script by its hash, as scripts of other people are not kept here; they were given
by reading, before the output was looked at. Prints how many scripts below the directory that bear
one are converted or said with the right geometry, and how many labelled `mpi` left Slurm: none may.
With --list also each script that is not right. What sbatch would refuse is converted all the same.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHAPE = re.compile(r"(\d+) nodes? with (\d+) process(?:es)? each")
DIGITS = 16


@dataclass(frozen=True)
class Label:
    kind: str
    nodes: int
    processes: int  # 0: the script does not tell


@dataclass(frozen=True)
class Outcome:
    """What came of one script: `converted`, `said`, `not said`, and whether it is right."""

    what: str
    right: bool
    on_slurm: bool
    says: str = ""


def labels(path: Path) -> dict[str, Label]:
    found = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            script, kind, nodes, processes = line.split("\t")
            found[script] = Label(kind, int(nodes), int(processes))
    return found


def scripts(directory: Path, known: dict[str, Label]) -> Iterator[tuple[Path, Label]]:
    """Each labelled script once."""
    seen = set()
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            name = hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS]
            if name in known and name not in seen:
                seen.add(name)
                yield path, known[name]


def convert(binary: str, script: Path) -> tuple[str, str]:
    """The module, and what the findings say."""
    with tempfile.TemporaryDirectory(prefix="slurm2flyte-geometry-") as folder:
        module, report = Path(folder, "script_flyte.py"), Path(folder, "review.json")
        output = ["-o", str(module), "--report", str(report), "--force", "--keep-going"]
        subprocess.run(
            [binary, "convert", "-q", str(script), *output],
            capture_output=True,
            timeout=60,
            check=False,
        )
        reviews = json.loads(report.read_text())["inputs"]
        (review,) = [r for r in reviews if Path(r["path"]).name == script.name]
        says = [f["message"] for f in review["findings"]]
        return module.read_text() if module.exists() else "", "\n".join(says)


def judge(module: str, says: str, label: Label) -> Outcome:
    on_slurm = "SlurmScriptTask(" in module
    counts = [
        re.search(pattern + r"=(\d+)", module)
        for pattern in ("replicas", "nproc_per_node")
    ]
    cluster = re.search(r"plugin_config=(RayJobConfig|Dask)\(", module)
    if "ClusteredTaskEnvironment(" in module and all(counts):
        shape = tuple(int(c.group(1)) for c in counts if c)
        return Outcome(
            "converted", shape == (label.nodes, label.processes), False, says
        )
    if cluster:
        kinds = {"RayJobConfig": "ray", "Dask": "workers"}
        return Outcome("converted", label.kind == kinds[cluster.group(1)], False, says)
    shape = SHAPE.search(says)
    if shape:
        nodes, processes = int(shape.group(1)), int(shape.group(2))
        right = nodes == label.nodes and label.processes in (0, processes)
        return Outcome("said", right, on_slurm, says)
    if label.kind == "alone":  # one container is what it was
        return Outcome("converted", bool(module) and not on_slurm, on_slurm, says)
    told = not label.processes and f"{label.nodes} nodes" in says
    return Outcome("said" if told else "not said", told, on_slurm, says)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument(
        "--labels", type=Path, default=Path(__file__).with_name("launch_labels.tsv")
    )
    parser.add_argument("--binary", default=os.environ.get("S2F_BINARY"))
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    binary = arguments.binary or str(ROOT / "build" / "dev" / "slurm2flyte")
    found = list(scripts(arguments.directory, labels(arguments.labels)))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        converted = pool.map(lambda each: convert(binary, each[0]), found)
        outcomes = [
            judge(*result, label)
            for result, (_, label) in zip(converted, found, strict=True)
        ]
    pairs = list(zip(found, outcomes, strict=True))
    learning = [pair for pair in pairs if pair[0][1].kind != "mpi"]
    mpi = [pair for pair in pairs if pair[0][1].kind == "mpi"]
    left = [pair for pair in mpi if not pair[1].on_slurm]
    right = sum(outcome.right for _, outcome in learning)
    share = 100 * right / max(1, len(learning))
    print(f"{len(learning)} launches, {right} with the right geometry: {share:.1f}%")
    for (what, is_right), count in sorted(
        Counter((outcome.what, outcome.right) for _, outcome in learning).items()
    ):
        print(f"{count:6}  {what}, {'right' if is_right else 'not right'}")
    print(f"{len(mpi)} launches of MPI, {len(left)} of which leave Slurm")
    if arguments.list:
        for (script, label), outcome in [*learning, *left]:
            if not outcome.right:
                shape = SHAPE.search(outcome.says)
                print(f"{label} {outcome.what} {shape and shape.group(0)}: {script}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
