"""The tables that say what Flyte takes agree with the SDK that is installed, fact by fact.

A failure names the fact that changed: a device, a count, a slice of a GPU, a name that modules import.
S2F_FLYTE_PYTHON asks another Python, with another release of the SDK.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
ASK = """
import importlib, json, typing, sys
import flyte
import flyte._resources as r

def flat(kind):
    found = []
    for each in typing.get_args(kind):
        found += flat(each) if typing.get_origin(each) is typing.Literal else [each]
    return found

names = {}
for module, name in json.load(sys.stdin):
    try:
        there = hasattr(importlib.import_module(module), name)
        names[f"{module}.{name}"] = there or bool(importlib.import_module(f"{module}.{name}"))
    except ImportError:
        names[f"{module}.{name}"] = False
parts = {
    name: flat(getattr(r, kind, None))
    for name, kind in {
        "A100": "A100Parts", "A100_80G": "A100_80GBParts", "H100": "H100Parts",
        "H200": "H200Parts", "RTX_PRO_6000": "RTXPro6000Parts",
    }.items()
}
devices = {
    kind: flat(getattr(r, name, None))
    for kind, name in {
        "GPU": "GPUType", "AMD_GPU": "AMD_GPUType", "HABANA_GAUDI": "HABANA_GAUDIType",
    }.items()
}
print(json.dumps({
    "version": flyte.__version__, "names": names, "parts": parts, "devices": devices,
    "texts": flat(r.Accelerators),
}))
"""


def rows(table: str) -> list[dict[str, Any]]:
    return json.loads((ROOT / "grammar" / f"{table}.json").read_text())["rows"]


@pytest.fixture(scope="module")
def sdk() -> dict[str, Any]:
    wanted = [(r["from"], r["name"]) for r in rows("python-names") if "from" in r]
    done = subprocess.run(
        [os.environ.get("S2F_FLYTE_PYTHON") or sys.executable, "-c", ASK],
        input=json.dumps([w for w in wanted if w[0].startswith("flyte")]),
        # The plugin for Spark lies apart.
        env=os.environ | {"PYTHONPATH": str(ROOT / ".deps" / "spark")},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_devices_and_counts(sdk: dict[str, Any]) -> None:
    """Each device and count in the table is one that the SDK takes as text, and the other way."""
    ours = {f"{r['name']}:{count}" for r in rows("flyte-2") for count in r["counts"]}
    classes = {name for kind in sdk["devices"].values() for name in kind}
    theirs = {
        text
        for text in sdk["texts"]
        if text.partition(":")[0] in classes and "shared" not in text
    }
    assert ours - theirs == set(), f"flyte {sdk['version']} does not take these"
    assert theirs - ours == set(), f"flyte {sdk['version']} takes these, too"


def test_classes_of_devices(sdk: dict[str, Any]) -> None:
    for row in rows("flyte-2"):
        assert row["name"] in sdk["devices"][row["device_class"]], (
            f"{row['name']} is no {row['device_class']} of flyte {sdk['version']}"
        )


def test_slices(sdk: dict[str, Any]) -> None:
    ours = {r["name"]: r["partitions"] for r in rows("flyte-2") if r["partitions"]}
    assert ours == {name: parts for name, parts in sdk["parts"].items() if parts}


def test_names_that_modules_import(sdk: dict[str, Any]) -> None:
    missing = [name for name, there in sdk["names"].items() if not there]
    assert not missing, f"flyte {sdk['version']} has no {', '.join(missing)}"


def test_version_that_the_program_names(sdk: dict[str, Any]) -> None:
    """The SDK that the outputs are tried with is the one that they are written for."""
    text = (ROOT / "src" / "project" / "version.hpp").read_text()
    named = text.partition('flyte_version = "')[2].partition('"')[0]
    if "S2F_FLYTE_PYTHON" not in os.environ:
        assert sdk["version"].startswith(f"{named}."), (named, sdk["version"])


# They went with Python 3.12, which is the one of the images.
GONE = {"asynchat", "asyncore", "distutils", "imp", "smtpd"}


def test_standard_library() -> None:
    """The modules that no package brings are those that Python says it has."""
    ours = {row["module"] for row in rows("python-stdlib")}
    theirs = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    assert theirs - GONE - ours == set(), f"Python {sys.version_info[:2]} has these"
    later = {"pathlib._abc", "compression", "annotationlib", "concurrent.interpreters"}
    assert {n for n in ours if not n.startswith("_")} - theirs - later == set()
