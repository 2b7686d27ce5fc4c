#!/usr/bin/env python3
"""Converts every script below a directory and counts what happened.

    measure.py DIRECTORY [--binary FILE] [--limit N] [--judge N] [--show N]

Scripts are files with a #SBATCH line, or that call sbatch; index.tsv, where there is one, names
them. One process a script, so that a crash or a hang is that script's alone. The scripts are only
read; outputs go to a temporary directory. With --judge N the modules of N scripts, spread over the
directory, are imported, serialized and checked with ruff as well.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
JUDGE = ROOT / "tests" / "judge" / "check_output.py"
HANG = 2.0  # seconds
GIVE_UP = 20.0
IS_SCRIPT = re.compile(rb"^#SBATCH|(?:^|[^\w/.-])sbatch\b", re.MULTILINE)
SUBMITS = re.compile(rb"(?:^|[^\w/.-])sbatch\s")
INTERNAL = {"S2F900", "S2F901"}


@dataclass
class Outcome:
    script: Path
    folder: Path | None = None
    problem: str = ""  # crash, hang, unreadable or no review
    seconds: float = 0.0
    inputs: list[dict[str, Any]] = field(default_factory=list)


def sample(description: str, show: int) -> tuple[argparse.Namespace, list[Path]]:
    """What the command line asks of a count over scripts, and those that it means."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("directory", type=Path)
    default = os.environ.get(
        "S2F_BINARY", str(ROOT / "build" / "release" / "slurm2flyte")
    )
    parser.add_argument("--binary", default=default)
    parser.add_argument(
        "--limit", type=int, help="so many scripts, spread over the directory"
    )
    parser.add_argument("--show", type=int, default=show, help="examples of each kind")
    arguments = parser.parse_args()
    found = list(scripts(arguments.directory))
    if arguments.limit and len(found) > arguments.limit:
        found = found[:: len(found) // arguments.limit][: arguments.limit]
    return arguments, found


def scripts(directory: Path) -> Iterator[Path]:
    index = directory / "index.tsv"
    if index.exists():
        for line in index.read_text(errors="replace").splitlines():
            path = directory / line.split("\t")[0]
            if path.is_file() and path != index:
                yield path
        return
    for path in sorted(directory.rglob("*")):
        if path.is_file() and IS_SCRIPT.search(path.read_bytes()[:1_000_000]):
            yield path


def laid_out(directory: Path, found: list[Path], tree: Path) -> list[Path]:
    """Copies of all scripts where the index says that they lay, so that drivers find jobs."""
    index = directory / "index.tsv"
    header, *rows = (
        index.read_text(errors="replace").splitlines() if index.exists() else [""]
    )
    if header.split("\t")[:3] != ["file", "origin", "path"]:
        return found
    places: dict[Path, Path] = {}
    for row in rows:
        file, origin, path = row.split("\t")[:3]
        if (directory / file).is_file() and ".." not in path:
            place = tree / origin / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(directory / file, place)
            places[directory / file] = place
    return [places.get(path, path) for path in found]


def convert(binary: str, script: Path, folder: Path) -> Outcome:
    """Beside the files that lie beside it, so that payloads are found; writes elsewhere."""
    outcome = Outcome(script)
    report = folder / "review.json"
    command = [
        binary,
        "convert",
        "-q",
        str(script),
        "-o",
        str(folder / "script_flyte.py"),
    ]
    begin = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "--report", str(report), "--force"],
            capture_output=True,
            timeout=GIVE_UP,
            check=False,
        )
    except subprocess.TimeoutExpired:
        outcome.problem, outcome.seconds = "hang", GIVE_UP
        return outcome
    outcome.seconds = time.monotonic() - begin
    if (
        done.returncode < 0
        or b"internal error: a line" not in done.stderr
        and (b"internal error" in done.stderr or done.returncode > 2)
    ):
        outcome.problem = f"crash ({done.returncode})"
    elif outcome.seconds > HANG:
        outcome.problem = "hang"
    if report.exists():
        outcome.inputs = json.loads(report.read_text())["inputs"]
        if not outcome.inputs and not outcome.problem:
            outcome.problem = "cannot be read"
    return outcome


def rules_of(one: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in one["findings"]}


@dataclass
class Table:
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(
        default_factory=lambda: collections.defaultdict(list)
    )

    def add(self, what: str, script: Path | str) -> None:
        self.counts[what] += 1
        self.examples[what].append(str(script))


def tally(outcomes: list[Outcome], rules: Counter[str]) -> Table:
    table = Table()
    for outcome in outcomes:
        script = outcome.script
        if outcome.problem:
            table.add(f"problem: {outcome.problem}", script)
        for one in outcome.inputs[:1]:
            found = rules_of(one)
            rules.update(found)
            for rule in sorted(found & INTERNAL):
                table.add(f"internal: {rule}", script)
            if one["lines"] != one["lines_accounted"]:
                table.add("internal: lines not accounted for", script)
            if "S2F110" in found:
                table.add("refused by sbatch", script)
            table.add(f"kind: {one['kind']}", script)
            table.add(f"verdict: {one['verdict']}", script)
            table.add(f"body: {one['body'] or '-'}", script)
    return table


CALLED = "its script is there: a call of a task"
UNCALLED = "its script is there: not called"


def became(why: str, lifted: bool) -> str:
    """Of one sbatch in a driver, by what the ledger says of it."""
    if "not known here" in why:
        return "its script is known only when it runs, or is not there"
    if "stub" in why:
        return "its script is not there"
    return CALLED if lifted and why == "a call of the task" else UNCALLED


def launches(outcomes: list[Outcome]) -> str:
    """The programs that bodies of tasks start, and how many the task itself starts."""
    counts = [
        one["launches"]
        for outcome in outcomes
        for one in outcome.inputs[:1]
        if one.get("launches")
    ]
    python = sum(each["python"] for each in counts)
    total = python + sum(each["bash"] for each in counts)
    share = 100 * python / max(total, 1)
    return f"{python} of {total} programs are started by Python ({share:.1f}%)"


def drivers(outcomes: list[Outcome]) -> tuple[Counter[str], Counter[str]]:
    """What became of the submissions of drivers, and what stopped those not lifted."""
    submissions: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for outcome in outcomes:
        for one in outcome.inputs[:1]:
            if one["kind"] != "driver":
                continue
            lifted = one["verdict"] != "not_converted"
            submissions["drivers lifted" if lifted else "drivers not lifted"] += 1
            for item in one["items"]:
                if item["text"] == "sbatch":
                    submissions[f"submission: {became(item['why'], lifted)}"] += 1
            for finding in one["findings"]:
                if finding["rule"] == "S2F430":
                    reasons[finding["message"].split(": ", 1)[-1]] += 1
    return submissions, reasons


def judge(outcomes: list[Outcome], wanted: int, table: Table) -> None:
    """Puts each module beside what lies beside its script, and judges them in one process."""
    with_module = [
        one for one in outcomes if one.folder and list(one.folder.glob("*_flyte.py"))
    ]
    step = max(1, len(with_module) // wanted)
    chosen = {one.folder: one.script for one in with_module[::step][:wanted]}
    for folder, script in chosen.items():
        for path in script.parent.iterdir():
            if path.is_file() and path.stat().st_size < 1_000_000:
                target = folder / path.name
                if not target.exists():
                    shutil.copy(path, target)
    command = [sys.executable, str(JUDGE), "--no-types"]
    command += [str(folder / "script_flyte.py") for folder in chosen]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    for result in json.loads(done.stdout)["results"]:
        script = chosen[Path(result["file"]).parent]
        table.add("judged", script)
        for error in result["errors"]:
            first, *rest = error.splitlines()
            # The difference itself, without the names of temporary files.
            detail = "".join(f"\n      {line}" for line in rest[2:14])
            table.add(
                f"judge: {re.sub(r'[0-9]+', 'N', first)[:100]}", f"{script}{detail}"
            )


def show(title: str, counter: Counter[str], total: int) -> None:
    print(f"\n{title}")
    for what, count in sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])):
        print(f"  {count:7} {100 * count / max(total, 1):6.2f}%  {what}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Convert a directory of scripts and count."
    )
    parser.add_argument("directory", type=Path)
    default = os.environ.get(
        "S2F_BINARY", str(ROOT / "build" / "release" / "slurm2flyte")
    )
    parser.add_argument("--binary", default=default)
    parser.add_argument(
        "--limit", type=int, help="so many scripts, spread over the directory"
    )
    parser.add_argument(
        "--judge", type=int, metavar="N", help="judge the modules of N scripts"
    )
    parser.add_argument(
        "--submitters", action="store_true", help="only scripts that name sbatch"
    )
    parser.add_argument("--show", type=int, default=3, help="examples of each problem")
    arguments = parser.parse_args()

    found = list(scripts(arguments.directory))
    if arguments.submitters:
        found = [path for path in found if SUBMITS.search(path.read_bytes())]
    if arguments.limit and len(found) > arguments.limit:
        found = found[:: len(found) // arguments.limit][: arguments.limit]
    with tempfile.TemporaryDirectory(prefix="measure-") as top:
        found = laid_out(arguments.directory, found, Path(top).resolve() / "tree")

        def one(number: int, script: Path) -> Outcome:
            folder = Path(top).resolve() / str(number)
            folder.mkdir(exist_ok=True)
            outcome = convert(arguments.binary, script, folder)
            outcome.folder = folder
            return outcome

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(one, range(len(found)), found))
        # A busy machine makes everything slow: what took long is tried again alone.
        for number, outcome in enumerate(outcomes):
            if outcome.problem == "hang":
                outcomes[number] = one(number, outcome.script)
        rules: Counter[str] = Counter()
        table = tally(outcomes, rules)
        if arguments.judge:
            judge(outcomes, arguments.judge, table)
    show(f"{len(found)} scripts", table.counts, len(found))
    show("scripts with a finding of", rules, len(found))
    print(f"\n{launches(outcomes)}")
    submissions, reasons = drivers(outcomes)
    show("drivers and what they submit", submissions, len(found))
    called = submissions[f"submission: {CALLED}"]
    there = called + submissions[f"submission: {UNCALLED}"]
    share = 100 * called / max(there, 1)
    print(f"  {called} of {there} submissions whose script is there: {share:.1f}%")
    show("what stopped drivers", reasons, len(found))
    slowest = sorted(outcomes, key=lambda one: -one.seconds)[:3]
    print("\nslowest (a process each)")
    for outcome in slowest:
        print(f"  {1000 * outcome.seconds:7.0f} ms  {outcome.script}")
    for what, examples in sorted(table.examples.items()):
        if what.startswith(("problem", "internal", "judge:")):
            print(f"\n{what}")
            for example in examples[: arguments.show]:
                print(f"  {example}")
    return int(
        any(
            what.startswith(("problem: crash", "problem: hang", "internal"))
            for what in table.counts
        )
    )


if __name__ == "__main__":
    sys.exit(main())
