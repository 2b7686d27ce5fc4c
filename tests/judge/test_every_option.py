"""Every option of the table in a script: it is settled, its review says what became of it, and the
module is one that Flyte imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("S2F_BINARY", str(ROOT / "build/dev/slurm2flyte"))

# A realistic value by the kind of value, and by name where the kind is only "text".
BY_KIND = {
    "acctg_freq": "task=30",
    "core_spec": "2",
    "count": "2",
    "cpu_freq": "high",
    "cpus_per_task": "4",
    "directory": "/scratch/run",
    "distribution": "block:cyclic",
    "exclusive": "user",
    "extra_node_info": "2:8",
    "file": "log.txt",
    "get_user_env": "10",
    "gpu_bind": "closest",
    "gpu_freq": "high",
    "gres": "gpu:a100:2",
    "gres_flags": "enforce-binding",
    "group": "root",
    "kill_on_invalid_dep": "yes",
    "mail_type": "END",
    "mebibytes": "4G",
    "mem_bind": "local",
    "minutes": "30",
    "moment": "2030-01-02",
    "nice": "100",
    "no_kill": "set",
    "nodelist": "n1",
    "nodes": "1",
    "ntasks": "1",
    "open_mode": "append",
    "power": "level",
    "priority": "10",
    "profile": "task",
    "propagate": "STACK",
    "seconds": "30",
    "signal": "B:USR1@120",
    "switches": "1@10:00",
    "text": "probe",
    "thread_spec": "2",
    "tres_per_task": "cpu=2",
    "user": "root",
    "verbose": "",
    "wait_all_nodes": "1",
}
BY_NAME = {
    "array": "1-3",
    "dependency": "afterok:123",
    "export": "ALL,LR=0.1",
    "gpus": "a100:2",
    "gpus-per-node": "a100:2",
    "gpus-per-socket": "1",
    "gpus-per-task": "1",
    "hint": "nomultithread",
    "licenses": "matlab:1",
    "mail-user": "me@example.org",
    "oom-kill-step": "1",
    "resv-ports": "2",
}
# What else must stand in the header for sbatch to take it.
BESIDE = {
    "gpus-per-socket": "--sockets-per-node=1",
    "gpus-per-task": "--ntasks=1",
    "mem-per-gpu": "--gpus=1",
    "ntasks-per-gpu": "--gpus=1",
    "ntasks-per-tres": "--gpus=1",
    "cpus-per-gpu": "--gpus=1",
    "mail-user": "--mail-type=END",
    "time-min": "--time=60",
    "verbose": "--time=60",
}
# sbatch prints something and submits nothing, or the file must be there.
NOTHING_RUNS = {"help", "usage", "version"}
FILES = {"bbf", "export-file", "nodefile"}


def rows() -> list[dict]:
    with open(ROOT / "grammar" / "sbatch-options.json", encoding="utf-8") as file:
        table = json.load(file)["rows"]
    return [
        row
        for row in table
        if row["program"] in ("sbatch", "plugin")
        and "until" not in row
        and row["name"] not in NOTHING_RUNS
    ]


ROWS = rows()


def directive(row: dict) -> str:
    name = row["name"]
    if row["argument"] == "none":
        return f"--{name}"
    value = (
        "there.txt" if name in FILES else BY_NAME.get(name, BY_KIND.get(row["value"]))
    )
    assert value is not None, f"no value for --{name} ({row['value']})"
    return f"--{name}={value}" if value else f"--{name}"


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One script an option, all converted at once."""
    folder = tmp_path_factory.mktemp("options")
    (folder / "there.txt").write_text("A=1\n")
    (folder / "work.py").write_text("print('done')\n")
    for row in ROWS:
        lines = ["#!/bin/bash", f"#SBATCH {directive(row)}"]
        if row["name"] in BESIDE:
            lines.append(f"#SBATCH {BESIDE[row['name']]}")
        name = row["name"].replace("-", "_")
        (folder / f"opt_{name}.sh").write_text("\n".join([*lines, "python work.py"]))
    done = subprocess.run(
        [
            BINARY,
            "convert",
            *map(str, sorted(folder.glob("*.sh"))),
            "--report",
            str(folder / "all.json"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return folder


@pytest.fixture(scope="module")
def reviews(converted: Path) -> dict[str, dict]:
    with open(converted / "all.json", encoding="utf-8") as file:
        inputs = json.load(file)["inputs"]
    return {Path(one["path"]).stem: one for one in inputs}


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_option(row: dict, reviews: dict[str, dict]) -> None:
    review = reviews["opt_" + row["name"].replace("-", "_")]
    assert review["verdict"] != "not_converted", review["findings"]
    items = [item for item in review["items"] if item["text"] == directive(row)]
    assert len(items) == 1, review["items"]
    (item,) = items
    assert item["why"]
    known = {"converted", "adjusted", "decision", "platform", "kept", "dropped"}
    assert item["disposition"] in known
    if item["disposition"] in ("decision", "adjusted"):
        assert item.get("rule"), item
    if item["disposition"] == "decision":
        asked = [f for f in review["findings"] if f["rule"] == item["rule"]]
        assert asked, review["findings"]
        assert all(f["severity"] == "decision" for f in asked)
        for finding in asked:
            assert finding["default"] in finding["choices"]
            assert len(finding["choices"]) > 1
            assert finding["message"].endswith(".")
            assert finding["output_does"]


def test_modules_import(converted: Path) -> None:
    """A sample of them, in one process."""
    files = sorted(converted.glob("opt_*_flyte.py"))[::7]
    assert len(files) > 10
    program = "import runpy, sys\nfor path in sys.argv[1:]:\n    runpy.run_path(path, run_name='m')\n"
    subprocess.run(
        [sys.executable, "-c", program, *map(str, files)],
        check=True,
        cwd=converted,
        timeout=300,
    )
