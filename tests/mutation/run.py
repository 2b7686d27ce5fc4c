#!/usr/bin/env python3
"""Makes the compiler wrong in one place at a time and counts how often a test notices.

    cmake --preset dev -DS2F_MUTANTS=ON && cmake --build build/dev --target s2f_mutants
    tests/mutation/run.py [--count N] [--only TEXT] [--results FILE] [--quick]

The mutants are those of build/dev/mutants/mutants.json (mutate.py), the first N in the order of
the hashes of their names: a sample that nobody chose, and the same on every machine. Each runs the
suites below, the fastest first, until one fails. Answers are kept in the results file; a mutant that
has one is not tried again, so a run that was interrupted goes on. --quick leaves the suites in Python
out. With a survivor the status is 1.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "dev" / "mutants"
BINARY = BUILD / "slurm2flyte"
sys.path.insert(0, str(ROOT / "tests" / "judge"))
BEHAVIOUR = ROOT / "tests" / "behaviour" / "cases"
# A mutant that does not come to an end, or eats all memory, is one that a test notices. What counts is
# time of the processor: on a busy machine a clock proves nothing.
SECONDS = 120
FIRST_OF_TABLES = [0]
BYTES = 4 << 30
PYTEST = ["-q", "-x", "-p", "no:cacheprovider", "--no-header", "--tb=line"]
# What is compared with real Slurm and Bash, and what the command line does.
FOLDERS = [
    "body",
    "cli",
    "drivers",
    "guide",
    "judge",
    "multinode",
    "payload",
    "review",
    "rows",
    "slurm",
]
# Random cases are the same for each mutant, and few.
SEEDS = {
    "S2F_SEED": "1",
    "S2F_BODIES": "60",
    "S2F_SLURM_SEED": "1",
    "S2F_SLURM_HEADERS": "600",
}
# These ask for the machine's time, for a browser or the SDK, and tell nothing of a mutant.
LEFT_OUT = [
    "test_growth",
    "browser",
    "test_process",
    "test_argparse_differential",
    "test_golden_runs",
]


def environment(number: int, met: Path | None = None) -> dict[str, str]:
    out = os.environ | SEEDS | {"S2F_MUTANT": str(number), "S2F_BINARY": str(BINARY)}
    out["S2F_SOURCE_DIR"] = str(ROOT)
    return out | ({"S2F_MUTANTS_MET": str(met)} if met else {})


def limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ran(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, errors="replace",
            timeout=SECONDS * 30, preexec_fn=limits, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "does not end")


def goldens(env: dict[str, str]) -> str | None:
    import golden_cases

    os.environ.update(env)
    for case in golden_cases.cases():
        with tempfile.TemporaryDirectory() as folder:
            try:
                same = case.convert(Path(folder)) == case.expectation()
            except (subprocess.TimeoutExpired, UnicodeDecodeError):
                same = False
        if not same:
            return case.name
    return None


def cpp(env: dict[str, str]) -> str | None:
    done = ran([str(BUILD / "slurm2flyte_tests"), "--abort"], env)
    if done.returncode == 0:
        return None
    lines = done.stdout.splitlines()
    # The name of a test case stands below a line of dashes.
    names = [b for a, b in itertools.pairwise(lines) if a.startswith("----")]
    return names[0][:70] if names else f"status {done.returncode}"


def modules_of_behaviour(env: dict[str, str]) -> dict[str, str]:
    """The hash of what each behaviour case becomes."""
    with tempfile.TemporaryDirectory() as folder:
        names = sorted(p.parent.name for p in BEHAVIOUR.glob("*/job.sh"))
        for name in names:
            shutil.copytree(BEHAVIOUR / name, Path(folder) / name)
        command = [
            str(BINARY),
            "convert",
            "-q",
            "--keep-going",
            *(f"{n}/job.sh" for n in names),
        ]
        subprocess.run(
            command, cwd=folder, env=env, capture_output=True, timeout=SECONDS * 30,
            preexec_fn=limits, check=False,
        )  # fmt: skip
        found = {}
        for name in names:
            texts = [
                p.read_bytes()
                for p in sorted((Path(folder) / name).glob("*_flyte.*"))
                if p.suffix == ".py"
            ]
            found[name] = hashlib.sha256(b"".join(texts)).hexdigest()
        return found


def pytest(paths: list[str], env: dict[str, str], *more: str) -> str | None:
    done = ran([sys.executable, "-m", "pytest", *PYTEST, *more, *paths], env)
    if done.returncode in (0, 5):
        return None
    failed = [x for x in done.stdout.splitlines() if x.startswith(("FAILED", "ERROR"))]
    return failed[0][:90] if failed else f"status {done.returncode}"


def file_suite(path: str) -> Callable[[dict[str, str]], str | None]:
    return lambda env: pytest([path], env, "-k", f"not ({' or '.join(LEFT_OUT)})")


def test_files() -> list[str]:
    paths = [p for f in FOLDERS for p in (ROOT / "tests" / f).glob("test_*.py")]
    return sorted(str(p.relative_to(ROOT)) for p in paths if p.stem not in LEFT_OUT)


def behaviour(env: dict[str, str], right: dict[str, str]) -> str | None:
    """Only the cases whose modules are others can tell; the first few of them."""
    try:
        now = modules_of_behaviour(env)
    except subprocess.TimeoutExpired:
        return "does not end"
    differ = [name for name in right if now[name] != right[name]][:8]
    if not differ:
        return None
    tests = [
        f"tests/behaviour/test_behaviour.py::test_flyte_does_as_slurm_did[{n}]"
        for n in differ
    ]
    return pytest(tests, env)


class Reach:
    """Which mutants a suite comes by (the others it cannot notice; tables are not told), and its time."""

    def __init__(self, met: list[int], seconds: float) -> None:
        self.met = frozenset(met)
        self.seconds = seconds


def reached(
    suite: Callable[[dict[str, str]], object], mutants: int
) -> dict[str, object]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(mutants + 1))
        file.flush()
        begin = time.monotonic()
        answer = suite(environment(0, Path(file.name)))
        seconds = time.monotonic() - begin
        for name in ("S2F_MUTANT", "S2F_MUTANTS_MET"):
            os.environ.pop(name, None)
        met = [n for n, byte in enumerate(Path(file.name).read_bytes()) if byte]
        # What fails without a mutant says nothing of one.
        return {
            "met": met,
            "seconds": round(seconds, 1),
            "fails": answer if isinstance(answer, str) else None,
        }


def reach_of_all(last: int, quick: bool) -> dict[str, Reach]:
    """Kept beside the program, for the suites in Python take their time."""
    kept = BUILD / "reach.json"
    fresh = kept.exists() and kept.stat().st_mtime > BINARY.stat().st_mtime
    reach = json.loads(kept.read_text()) if fresh else {}
    suites: dict[str, Callable[[dict[str, str]], object]] = {
        "goldens": goldens,
        "cpp": cpp,
        "behaviour": modules_of_behaviour,
    }
    if not quick:
        suites |= {path: file_suite(path) for path in test_files()}
    for name, suite in suites.items():
        if name not in reach:
            reach[name] = reached(suite, last)
            keep(kept, reach)
    for name, r in reach.items():
        if r["fails"]:
            print(
                f"not asked, for it fails without a mutant: {name}: {r['fails']}",
                flush=True,
            )
    return {
        name: Reach(r["met"], r["seconds"])
        for name, r in reach.items()
        if not r["fails"]
    }


def keep(path: Path, value: object) -> None:
    """Whole or not at all: a run may be stopped at any time."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value, indent=1))
    part.replace(path)


def killer(
    number: int, right: dict[str, str], quick: bool, reach: dict[str, Reach]
) -> tuple[str, str] | None:
    env = environment(number)

    def comes_by(suite: str) -> bool:
        return (
            number >= FIRST_OF_TABLES[0]
            or suite not in reach
            or number in reach[suite].met
        )

    for name, suite in (("goldens", goldens), ("cpp", cpp)):
        if comes_by(name) and (test := suite(env)) is not None:
            return name, test
    if quick:
        return None
    if comes_by("behaviour") and (test := behaviour(env, right)) is not None:
        return "behaviour", test
    files = [path for path in test_files() if path in reach]
    for path in sorted(files, key=lambda path: reach[path].seconds):
        if comes_by(path) and (test := file_suite(path)(env)) is not None:
            return path, test
    return None


def in_a_child(
    number: int, right: dict[str, str], quick: bool, reach: dict[str, Reach]
) -> tuple[str, str] | None:
    """In a process of its own, for the suites set the environment."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            answer = json.dumps(killer(number, right, quick, reach))
        except Exception as error:  # noqa: BLE001 -- a test that dies is one that notices
            answer = json.dumps(["error", repr(error)[:90]])
        with os.fdopen(write, "w") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else ("error", "died")


def sample(count: int, only: str) -> list[dict[str, object]]:
    mutants = json.loads((BUILD / "mutants.json").read_text())
    chosen = [m for m in mutants if only in m["name"]]
    chosen.sort(key=lambda m: hashlib.sha256(m["name"].encode()).digest())
    # Half of each kind of place: there are more rows than decisions, and less to them.
    tables = [m for m in chosen if m["where"].startswith("grammar/")]
    sources = [m for m in chosen if not m["where"].startswith("grammar/")]
    return [*sources[: count - count // 3], *tables[: count // 3]]


def table(mutants: list[dict[str, object]], results: dict[str, object]) -> str:
    rows: dict[str, collections.Counter[str]] = collections.defaultdict(
        collections.Counter
    )
    for mutant in mutants:
        if (result := results.get(str(mutant["name"]))) is None:
            continue
        place = "tables" if str(mutant["where"]).startswith("grammar/") else "sources"
        kind = (
            "killed"
            if result["killed"]
            else "equal"
            if result.get("equal")
            else "survived"
        )
        rows[f"{place}, {mutant['kind']}"][kind] += 1
        rows["all"][kind] += 1
    lines = [
        f"{'':<18} {'mutants':>8} {'killed':>8} {'equal':>8} {'survived':>8} {'share':>7}"
    ]
    for name in sorted(rows, key=lambda name: (name == "all", name)):
        row = rows[name]
        asked = row["killed"] + row["survived"]
        share = f"{100 * row['killed'] / asked:.1f}%" if asked else "-"
        lines.append(
            f"{name:<18} {row.total():>8} {row['killed']:>8} {row['equal']:>8}"
            f" {row['survived']:>8} {share:>7}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--only", default="", help="those whose name holds this text")
    parser.add_argument("--results", type=Path, default=BUILD / "results.json")
    parser.add_argument(
        "--quick", action="store_true", help="goldens and C++ tests alone"
    )
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="begin no mutant after this time"
    )
    parser.add_argument("--again", action="store_true", help="try the survivors again")
    options = parser.parse_args()
    known = json.loads((Path(__file__).parent / "equal.json").read_text())
    results = (
        json.loads(options.results.read_text()) if options.results.exists() else {}
    )
    mutants = sample(options.count, options.only)
    os.environ.pop("S2F_MUTANT", None)
    right = modules_of_behaviour(environment(0))
    if (broken := killer(0, right, quick=True, reach={})) is not None:
        sys.exit(f"without a mutant {broken} fails already")
    everything = json.loads((BUILD / "mutants.json").read_text())
    FIRST_OF_TABLES[0] = min(
        m["number"] for m in everything if m["where"].startswith("grammar/")
    )
    last = max(m["number"] for m in everything)
    reach = reach_of_all(last, options.quick)
    end = time.monotonic() + 60 * options.minutes
    for mutant in mutants:
        name = str(mutant["name"])
        old = results.get(name)
        if (
            old
            and (old["killed"] or not options.again)
            and (old["killed"] or old["quick"] <= options.quick)
        ):
            continue
        if time.monotonic() > end:
            break
        if name in known:
            results[name] = {"killed": None, "equal": known[name], "quick": False}
        else:
            found = in_a_child(int(str(mutant["number"])), right, options.quick, reach)
            results[name] = {"killed": found, "quick": options.quick}
        print(
            "killed  " if results[name]["killed"] else "survived",
            name,
            results[name],
            flush=True,
        )
        keep(options.results, results)
    print(table(mutants, results))
    survivors = [m for m in mutants if (r := results.get(str(m["name"]))) and not r["killed"] and not r.get("equal")]  # fmt: skip
    for mutant in survivors:
        print(f"survived: {mutant['name']} {mutant['where']} {mutant['was']}")
    left = sum(str(m["name"]) not in results for m in mutants)
    if left:
        print(f"{left} were not tried")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
