#!/usr/bin/env python3
"""Checks the proof that a review gives, from its JSON, the scripts and the modules alone.

    proof.py REVIEW.json [--scripts DIR] [--modules DIR]

Shares no code with slurm2flyte. Checked are: every physical line with content is covered by an item
that is settled; the counts are what counting gives; every output line that is cited is a line of the
module; the ranges say what the lists say; every decision names its finding's
rule and the key that answers it; and every line that is said to be kept stands byte for byte in a
text of the module, or in the script that the module hands to Slurm.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

BLANK = " \t\r\f\v"


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode("latin-1").split("\n")


def unfolded(ranges: str) -> list[int]:
    """ "3-5, 9" -> 3 4 5 9"""
    ends = [part.split("-") for part in ranges.split(", ") if part]
    return [n for each in ends for n in range(int(each[0]), int(each[-1]) + 1)]


def texts_of(module: str) -> list[str]:
    """Every constant text of a module, in the bytes of the script."""
    found = []
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(
                node.value.encode("utf-8", "surrogateescape").decode("latin-1")
            )
    return found


def covered(item: dict[str, Any]) -> range:
    return range(item["line"], item["end_line"] + 1)


def problems_of(
    script: dict[str, Any], source: list[str], module: str | None
) -> list[str]:
    found = []
    path = script["path"]
    content = {n for n, line in enumerate(source, 1) if line.strip(BLANK)}
    settled = [item for item in script["items"] if item["disposition"] != "open"]
    accounted = {n for item in settled for n in covered(item)}
    for n in sorted(content - accounted):
        found.append(f"{path}:{n}: nothing accounts for this line")
    if script["lines"] != len(content):
        found.append(f"{path}: {script['lines']} lines are said to have content")
    if script["lines_accounted"] != len(content & accounted):
        found.append(
            f"{path}: {script['lines_accounted']} lines are said to be settled"
        )
    below = module.split("\n") if module is not None else []
    for one in [*script["items"], *script["findings"]]:
        place = f"{path}:{one['line']}"
        if unfolded(one["output_ranges"]) != one["output_lines"]:
            found.append(f"{place}: the ranges are not the lines")
        for n in one["output_lines"]:
            if not 1 <= n <= len(below):
                found.append(
                    f"{place}: cites line {n} of the module, which is not there"
                )
    for item in settled:
        if item["disposition"] in ("decision", "adjusted") and not item["rule"]:
            found.append(f"{path}:{item['line']}: a decision without a rule")
    for finding in script["findings"]:
        if finding["severity"] == "decision" and not finding["config_key"]:
            found.append(f"{path}:{finding['line']}: {finding['rule']} names no key")
    # What was not converted is kept in the script itself.
    if module is not None and script["verdict"] != "not_converted":
        texts = texts_of(module)
        kept = {line for text in texts for line in text.split("\n")}
        for n in kept_lines(script, source):
            line = source[n - 1].removesuffix("\r")
            if line not in kept and not any(line in text for text in texts):
                found.append(f"{path}:{n}: kept, but not in the module as it was")
    return found


def kept_lines(script: dict[str, Any], source: list[str]) -> list[int]:
    """Lines that are kept whole: those on which nothing is said to have become something else."""
    kept = {
        n
        for item in script["items"]
        if item["disposition"] == "kept"
        # The file itself is run, or the item says what it was changed to.
        and "runs the file" not in item["why"]
        and "`submit` for sbatch" not in item["why"]
        for n in covered(item)
    }
    # Of a region that is kept its finding lists what was taken out.
    removed = {
        n
        for finding in script["findings"]
        if finding["rule"] in ("S2F405", "S2F406")
        for first, last in re.findall(
            r"\blines? (\d+)(?:-(\d+))?", finding["output_does"]
        )
        for n in range(int(first), int(last or first) + 1)
    }
    # A driver that runs as it was has `submit` where sbatch stood.
    if any("`submit` for sbatch" in each["output_does"] for each in script["findings"]):
        removed |= {n for n in kept if "sbatch" in source[n - 1]}
    other = removed | {
        one["line"]
        for one in script["items"] + script["findings"]
        if one["line"] == one["end_line"]
        and (one.get("disposition") != "kept" or "severity" in one)
    }
    return sorted(
        n
        for n in kept - other
        if source[n - 1].strip(BLANK) and not source[n - 1].lstrip().startswith("#")
    )


def check(review: dict[str, Any], scripts: Path, modules: Path) -> list[str]:
    found = []
    for script in review["inputs"]:
        module = None
        if script["output"]:
            module = (modules / script["output"]).read_text()
        found += problems_of(script, lines_of(scripts / script["path"]), module)
    total = sum(script["lines_accounted"] for script in review["inputs"])
    if review["summary"]["lines_accounted"] != total:
        found.append("the summary does not add up")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("review", type=Path)
    parser.add_argument("--scripts", type=Path, default=Path())
    parser.add_argument("--modules", type=Path, default=Path())
    options = parser.parse_args()
    review = json.loads(options.review.read_text())
    found = check(review, options.scripts, options.modules)
    print("\n".join(found) if found else "every line is accounted for")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
