#!/usr/bin/env python3
"""Counts what becomes of the lines that set up software, over a directory of scripts.

    environment.py DIRECTORY [--binary FILE] [--limit N] [--show N]

A line is recognised when nothing of it stands in the module but in comments: not in kept Bash, not
as a command of the task. What is listed: the family of the line, and where it was left.
"""

import argparse
import concurrent.futures
import os
import re
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from measure import ROOT, convert, scripts

START = r"(?:^|[;&|({]|\bthen\b|\bdo\b|\belse\b|\bsrun\b[^#;|&]*?)\s*"
FAMILIES = {
    "module": r"(?:module|ml)\s+[\w+-]",
    "conda activate": r"(?:conda|mamba|micromamba)\s+(?:activate|deactivate)\b",
    "source activate": r"(?:source|\.)\s+(?:\S*/)?activate\b",
    "conda run": r"(?:conda|mamba|micromamba)\s+run\b",
    "conda install": r"(?:conda|mamba|micromamba)\s+(?:install|create|env|update)\b",
    "conda hook": r"eval\s.*(?:shell[. ](?:bash|posix|hook)|conda|mamba)",
    "conda block": r"__(?:conda|mamba)_(?:setup|exe)",
    "conda.sh": r"(?:source|\.)\s+\S*(?:conda|mamba)\.sh\b",
    "start-up file": r"(?:source|\.)\s+\S*(?:\.bashrc|profile|\.bash_profile|modules\.sh|lmod\S*|/init/\w+)",
    "venv made": r"(?:python\S*\s+-m\s+venv|virtualenv)\b",
    "runner": r"(?:poetry|pipenv|pixi|uv|rye|pdm|hatch)\s+\w",
    "spack": r"spack\s+\w",
    "pip install": r"(?:python\S*\s+-m\s+)?pip3?\s+(?:install|freeze|list|download|uninstall)\b",
    "deactivate": r"deactivate\b",
    "container": r"(?:\S*/)?(?:apptainer|singularity|docker|podman|shifter|ch-run|enroot|udocker)\s+\S",
    "PATH": r"export\s+(?:PATH|LD_LIBRARY_PATH|PYTHONPATH|LIBRARY_PATH|CPATH|MANPATH)=",
}
PATTERNS = {name: re.compile(START + words) for name, words in FAMILIES.items()}


def families(text: str) -> list[tuple[int, str, str]]:
    """The lines that set up software, by number (from 1), with their family."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        for name, pattern in PATTERNS.items():
            if pattern.search(stripped):
                found.append((number, name, stripped))
                break
    return found


def code_of(module: str) -> tuple[set[str], str]:
    """The lines of a module that are no comments, and all of them as one text."""
    body = module.split('"""', 2)[-1]
    lines = [line.strip() for line in body.splitlines()]
    lines = [line for line in lines if not line.startswith("#")]
    return set(lines), "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    default = os.environ.get(
        "S2F_BINARY", str(ROOT / "build" / "release" / "slurm2flyte")
    )
    parser.add_argument("--binary", default=default)
    parser.add_argument("--limit", type=int, default=1500)
    parser.add_argument("--show", type=int, default=4)
    arguments = parser.parse_args()
    found = list(scripts(arguments.directory))
    if len(found) > arguments.limit:
        found = found[:: len(found) // arguments.limit][: arguments.limit]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="environment-") as top:

        def one(number: int, script: Path) -> None:
            lines = families(script.read_text(errors="replace"))
            if not lines:
                return
            folder = Path(top) / str(number)
            folder.mkdir()
            outcome = convert(arguments.binary, script, folder)
            output = folder / "script_flyte.py"
            if not outcome.inputs or not output.exists():
                return
            body = outcome.inputs[0]["body"]
            if body == "on_slurm":
                for _, family, _ in lines:
                    counts[family]["(stays on Slurm)"] += 1
                return
            code, joined = code_of(output.read_text())
            for number_, family, text in lines:
                if text in code or text.rstrip(";") in code:
                    where = "kept"
                else:
                    tool = re.split(r"\W+", text.strip())[0]
                    launched = family != "PATH" and re.search(
                        rf'\brun\(\s*"{re.escape(tool)}"', joined
                    )
                    where = "launched" if launched else "recognised"
                counts[family][where] += 1
                if where != "recognised":
                    examples[family, where].append(f"{script.name}:{number_}: {text}")

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(one, range(len(found)), found))
    print(f"{len(found)} scripts; jobs that stay on Slurm are not counted in the share")
    total: Counter[str] = Counter()
    for family, by in sorted(counts.items(), key=lambda pair: -sum(pair[1].values())):
        ours = sum(by.values()) - by["(stays on Slurm)"]
        total += by
        print(
            f"{family:16} {by['recognised']:6} of {ours:6} "
            f"{100 * by['recognised'] / max(ours, 1):6.1f}%  kept {by['kept']:5}"
            f"  launched {by['launched']:5}  on Slurm {by['(stays on Slurm)']:5}"
        )
    ours = sum(total.values()) - total["(stays on Slurm)"]
    print(
        f"{'all':16} {total['recognised']:6} of {ours:6} "
        f"{100 * total['recognised'] / max(ours, 1):6.1f}%"
    )
    for (family, where), lines in sorted(examples.items()):
        if arguments.show:
            print(f"\n{family}, {where}: {len(lines)}")
            for line in lines[:: max(1, len(lines) // arguments.show)][
                : arguments.show
            ]:
                print(f"  {line[:150]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
