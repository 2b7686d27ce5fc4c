"""What grammar/flyte-releases.json says of older releases of the SDK, asked of the oldest one.

The oldest is installed beside the one that modules are written for. All cases are converted for it:
a module imports and serializes there, or the review says what it lacks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from golden_cases import ROOT, cases, run_binary
from hand_written import HandWritten, hand_written_cases

JUDGE = Path(__file__).resolve().parent / "check_output.py"
OLDEST = Path(os.environ.get("S2F_OLDEST_FLYTE") or ROOT / ".deps" / "flyte-oldest")
ROWS = json.loads((ROOT / "grammar" / "flyte-releases.json").read_text())["rows"]
RELEASE = next(row["since"] for row in ROWS if row["name"] == "include")
ASK = """
import importlib, inspect, json, sys, typing
import flyte, flyte._resources as resources

def texts(kind):
    if isinstance(kind, str):
        return {kind}
    return {text for each in typing.get_args(kind) for text in texts(each)}

def named(module, name):
    try:
        return hasattr(importlib.import_module(module), name)
    except ImportError:
        return False

accelerators = {text.partition(":")[0] for text in texts(resources.Accelerators)}
answers = {
    "accelerator": lambda name: name in accelerators,
    "field": lambda name: name in inspect.signature(flyte.TaskEnvironment).parameters,
    "member": lambda name: hasattr(flyte.Image, name),
    "name": lambda name: any(
        named(module, name.rpartition(".")[2])
        for module in ("flyte.clustered", "flyte.errors", "flyteplugins.slurm")
    ),
}
print(json.dumps([flyte.__version__, [answers[kind](name) for kind, name in json.load(sys.stdin)]]))
"""


def known(python: str, asked: list[tuple[str, str]]) -> tuple[str, list[bool]]:
    done = subprocess.run(
        [python, "-c", ASK],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    release, answers = json.loads(done.stdout.splitlines()[-1])
    return release, answers


@pytest.fixture(scope="module")
def oldest() -> str:
    python = OLDEST / "bin" / "python"
    assert python.exists(), f"./dev setup installs the oldest flyte into {OLDEST}"
    return str(python)


def numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


def test_the_newest_knows_every_row() -> None:
    _, answers = known(sys.executable, [(row["kind"], row["name"]) for row in ROWS])
    assert [row["name"] for row, there in zip(ROWS, answers) if not there] == []


def test_the_oldest_knows_what_it_brought_and_nothing_newer(oldest: str) -> None:
    release, answers = known(oldest, [(row["kind"], row["name"]) for row in ROWS])
    assert release == RELEASE
    expected = [numbers(row["since"]) <= numbers(release) for row in ROWS]
    assert dict(zip([row["name"] for row in ROWS], answers)) == dict(
        zip([row["name"] for row in ROWS], expected)
    )


def test_the_oldest_knows_the_older_names(oldest: str) -> None:
    older = [(row["kind"], row["before"]) for row in ROWS if "before" in row]
    assert older
    assert all(known(oldest, older)[1])


def needs_plugin(module: Path) -> bool:
    """What plugins take is told by their own releases."""
    return "flyteplugins" in module.read_text()


@pytest.fixture(scope="module")
def judged(
    oldest: str, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[str, bool, list[str]]]:
    """Each module: its name, whether its review finds it too new, and what the oldest SDK said."""
    top = tmp_path_factory.mktemp("oldest")
    found: dict[str, bool] = {}
    for case in (*cases(), *hand_written_cases()):
        folder = top / case.name
        case.copy_inputs(folder)
        what = case.scripts if isinstance(case, HandWritten) else case.arguments
        release = ("--flyte-version", RELEASE)
        run_binary("convert", *what, *release, "--report", "all.json", cwd=folder)
        if not (folder / "all.json").exists():
            continue  # not every case converts
        review: dict[str, Any] = json.loads((folder / "all.json").read_text())
        for one in review["inputs"]:
            module = folder / one["output"] if one["output"] else None
            if module and module.exists() and not needs_plugin(module):
                rules = {finding["rule"] for finding in one["findings"]}
                found[str(module.resolve())] = "S2F525" in rules
    done = subprocess.run(
        [oldest, str(JUDGE), "--sdk-only", *sorted(found)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    results = json.loads(done.stdout)["results"]
    return [
        (str(Path(r["file"]).relative_to(top.resolve())), found[r["file"]], r["errors"])
        for r in results
    ]


def test_modules_run_with_the_oldest_or_say_that_they_do_not(
    judged: list[tuple[str, bool, list[str]]],
) -> None:
    assert len(judged) > 40
    refused = [(name, errors) for name, new, errors in judged if errors and not new]
    assert refused == []


def test_what_is_too_new_is_refused_there(
    judged: list[tuple[str, bool, list[str]]],
) -> None:
    too_new = [(name, errors) for name, new, errors in judged if new]
    assert too_new
    assert [name for name, errors in too_new if not errors] == []
