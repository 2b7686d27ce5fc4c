#!/usr/bin/env python3
"""Converts every script below a directory and judges the syntax trees of the modules.

    safety.py DIRECTORY [--binary FILE] [--show N]

The scripts are laid out as the index says and converted many at once; tests/judge/safe_module.py
says what may stand in a module, tests/review/proof.py what a review must prove. Nothing is run.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ROOT, laid_out, scripts

sys.path += [str(ROOT / "tests" / "judge"), str(ROOT / "tests" / "review")]
from proof import check
from safe_module import invented, problems_of

AT_ONCE = 400


def convert(binary: str, tree: Path, names: list[str], out: Path, report: Path) -> int:
    command = [
        binary,
        "convert",
        "-q",
        "--keep-going",
        "--force",
        "--out-dir",
        str(out),
    ]
    done = subprocess.run(
        [*command, "--report", str(report), *names],
        cwd=tree,
        capture_output=True,
        check=False,
    )
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--binary", default=os.environ.get("S2F_BINARY", "slurm2flyte"))
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    binary = str(Path(options.binary).resolve())
    found: dict[str, list[str]] = collections.defaultdict(list)
    scripts_of: dict[Path, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        tree, out = Path(folder) / "in", Path(folder) / "out"
        tree.mkdir()
        files = list(scripts(options.directory.resolve()))
        places = laid_out(options.directory.resolve(), files, tree)
        names = sorted({os.path.relpath(path, tree) for path in places})
        for at in range(0, len(names), AT_ONCE):
            report = Path(folder) / "review.json"
            status = convert(binary, tree, names[at : at + AT_ONCE], out, report)
            if status not in (0, 1, 2):
                found[f"ended with status {status}"].append(names[at])
            review = json.loads(report.read_text())
            for one in review["inputs"]:
                # Where a driver brings its jobs in, the module holds what they say.
                if one["output"]:
                    text = (tree / one["path"]).read_bytes().decode("utf-8", "replace")
                    key = out / one["output"]
                    scripts_of[key] = scripts_of.get(key, "") + text
            for problem in check(review, tree, out):
                place, _, kind = problem.partition(": ")
                found[f"proof: {kind}"].append(place)
        modules = sorted(out.rglob("*_flyte.py"))
        for module in modules:
            text = module.read_text()
            if module in scripts_of:
                for problem in invented(text, scripts_of[module]):
                    found[problem.rpartition(" ")[0]].append(
                        str(module.relative_to(out))
                    )
            for problem in problems_of(text):
                kind = re.sub(r"^line \d+: ", "", problem)
                found[kind].append(str(module.relative_to(out)))
    print(f"{len(names)} scripts, {len(modules)} modules")
    for kind, where in sorted(found.items(), key=lambda each: -len(each[1])):
        print(f"{len(where):6} {kind}")
        for place in where[: options.show]:
            print(f"         {place}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
