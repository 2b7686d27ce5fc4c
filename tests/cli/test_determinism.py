"""The same input gives the same bytes: whatever the machine, the user, the place and the time."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
CASES = [
    "diamond",
    "staging",
    "requeue",
    "secrets",
    "odd_bytes",
    "mpi",
    "clustered",
    "driver_plan",
]
REPORTS = ("r.html", "r.json", "r.md", "r.sarif", "r.txt")
LOCALES = ("C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8")


def copy_to(folder: Path) -> Path:
    for case in CASES:
        shutil.copytree(
            ROOT / "tests" / "golden" / case,
            folder / "tree" / case,
            ignore=shutil.ignore_patterns("expected", "arguments", "run.json"),
        )
    return folder / "tree"


def written(
    tree: Path,
    *arguments: str,
    variables: dict[str, str] | None = None,
    cwd: Path | None = None,
) -> dict[str, str]:
    """Hashes of everything that a conversion of the whole tree wrote and printed."""
    done = subprocess.run(
        [
            BINARY,
            "convert",
            ".",
            "--keep-going",
            *arguments,
            *[word for report in REPORTS for word in ("--report", report)],
        ],
        cwd=cwd or tree,
        env={"PATH": os.environ["PATH"], **(variables or {})},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in (0, 1), done.stderr
    hashes = {
        str(path.relative_to(tree)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(tree.rglob("*"))
        if path.is_file()
    }
    hashes["printed"] = hashlib.sha256(done.stdout + done.stderr).hexdigest()
    return hashes


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return written(copy_to(tmp_path_factory.mktemp("first")))


@pytest.mark.parametrize("locale", LOCALES)
def test_locale_zone_home_and_user(
    locale: str, first: dict[str, str], tmp_path: Path
) -> None:
    variables = {
        "LC_ALL": locale,
        "LANG": locale,
        "TZ": "Pacific/Kiritimati",
        "HOME": "/nonexistent/somebody",
        "USER": "somebody",
        "LOGNAME": "somebody",
        "HOSTNAME": "elsewhere",
        "TMPDIR": str(tmp_path),
        "SBATCH_PARTITION": "mine",
        "SLURM_JOB_ID": "7",
        "COLUMNS": "40",
    }
    assert written(copy_to(tmp_path / "x"), variables=variables) == first


def test_place_and_time(first: dict[str, str], tmp_path: Path) -> None:
    deep = tmp_path / "a rather long name" / "of a directory" / "ü"
    tree = copy_to(deep)
    for number, path in enumerate(sorted(tree.rglob("*"))):
        os.utime(path, (number * 86400, number * 86400))
    time.sleep(1.1)  # another second
    assert written(tree) == first


def test_order_of_the_directory(first: dict[str, str], tmp_path: Path) -> None:
    """Files that were made in another order lie in another order on the disk."""
    ready = copy_to(tmp_path / "ready")
    tree = tmp_path / "other" / "tree"
    for path in sorted(ready.rglob("*"), reverse=True):
        if path.is_file():
            to = tree / path.relative_to(ready)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
    assert written(tree) == first


def test_twice(first: dict[str, str], tmp_path: Path) -> None:
    tree = copy_to(tmp_path)
    assert written(tree) == first
    assert written(tree) == first


def test_ids_stay_when_lines_move(tmp_path: Path) -> None:
    import json

    ids = []
    for lead in ("", "# one line more\n\n"):
        folder = tmp_path / str(len(lead))
        folder.mkdir()
        (folder / "a.sh").write_text(
            f"#!/bin/bash\n{lead}#SBATCH -p gpu\n#SBATCH --exclusive\npython a.py /data/x\n"
        )
        written(folder)
        review = json.loads((folder / "r.json").read_text())
        ids.append({f["id"] for f in review["inputs"][0]["findings"]})
    assert ids[0] == ids[1]
