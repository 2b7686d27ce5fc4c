"""A script that several drivers submit has a module of its own, which theirs import."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)
JOB = '#!/bin/bash\n#SBATCH --time=5\n#SBATCH --mem=2G\npython3 work.py --name "$1"\n'
WORK = """\
import argparse, os
parser = argparse.ArgumentParser()
parser.add_argument("--name")
os.write(1, f"work {parser.parse_args().name}\\n".encode())  # in one piece: two run at once
"""
FILES = {
    "job.sh": JOB,
    "work.py": WORK,
    "one.sh": "#!/bin/bash\nsbatch job.sh x\n",
    "two.sh": "#!/bin/bash\nsbatch --mem=8G job.sh y\nsbatch job.sh z\n",
}
# Imports a module as a run on a cluster does, and lists what goes into its code bundle.
BUNDLE = """\
import sys
sys.path.insert(0, ".")
import one_flyte
from flyte._code_bundle._utils import list_imported_modules_as_files
found = list_imported_modules_as_files(".", list(sys.modules.values()))
print(*sorted(path.rsplit("/", 1)[-1] for path in found))
"""


def convert(folder: Path, files: dict[str, str], *names: str) -> dict[str, Any]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [BINARY, "convert", "-q", *(names or (".",)), "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    review = json.loads((folder / "review.json").read_text())
    for one in review["inputs"]:
        assert one["lines"] == one["lines_accounted"], one["path"]
        assert not {f["rule"] for f in one["findings"]} & {"S2F900", "S2F901"}
    return {one["path"].removeprefix("./"): one for one in review["inputs"]}


def rules(one: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in one["findings"]}


def test_the_task_is_imported(tmp_path: Path) -> None:
    review = convert(tmp_path, FILES)
    assert {name: Path(one["output"]).name for name, one in review.items()} == {
        "job.sh": "job_flyte.py",
        "one.sh": "one_flyte.py",
        "two.sh": "two_flyte.py",
    }
    assert "S2F361" in rules(review["job.sh"])
    for driver in ("one", "two"):
        text = (tmp_path / f"{driver}_flyte.py").read_text()
        assert "from job_flyte import job, job_env\n" in text
        assert "depends_on=[job_env]" in text
        assert "async def job" not in text
    assert 'memory="8Gi"' in (tmp_path / "two_flyte.py").read_text()


def test_the_modules_run_and_are_sound(tmp_path: Path) -> None:
    pytest.importorskip("flyte")
    convert(tmp_path, FILES)
    environment = {**os.environ, "HOME": str(tmp_path)}
    flyte = [str(Path(sys.executable).with_name("flyte"))]
    for driver, words in (("one", ["work x"]), ("two", ["work y", "work z"])):
        done = subprocess.run(
            [*flyte, "run", "--local", f"{driver}_flyte.py", "main"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        printed = sorted(re.findall(r"work \w", done.stdout))
        assert printed == words, done.stdout
    done = subprocess.run(
        [BINARY, "verify", "one_flyte.py", "two_flyte.py", "job_flyte.py"]
        + ["--python", sys.executable],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    bundle = subprocess.run(
        [sys.executable, "-c", BUNDLE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert bundle.stdout.split() == ["job_flyte.py", "one_flyte.py"]


def test_what_differs_is_the_drivers_own(tmp_path: Path) -> None:
    """One of them submits the script as an array, whose index it reads."""
    files = FILES | {
        "job.sh": JOB.replace('"$1"', '"$1" --turn "${SLURM_ARRAY_TASK_ID:-0}"'),
        "two.sh": "#!/bin/bash\nsbatch --array=0-3 job.sh y\n",
    }
    convert(tmp_path, files)
    assert "import job" in (tmp_path / "one_flyte.py").read_text()
    text = (tmp_path / "two_flyte.py").read_text()
    assert "import job" not in text
    assert "async def job" in text
    assert "async def job(" in (tmp_path / "job_flyte.py").read_text()


def test_one_driver_keeps_its_job(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "two.sh"}
    review = convert(tmp_path, files)
    assert Path(review["job.sh"]["output"]).name == "one_flyte.py"
    assert "S2F361" not in rules(review["job.sh"])
    assert not (tmp_path / "job_flyte.py").exists()


def test_drivers_elsewhere_share_no_module(tmp_path: Path) -> None:
    """Paths stand from where a driver submits: two directories, two tasks."""
    files = {f"jobs/{name}": FILES[name] for name in ("job.sh", "work.py", "one.sh")}
    files["two.sh"] = "#!/bin/bash\nsbatch jobs/job.sh y\n"
    convert(tmp_path, files)
    assert "import job" not in (tmp_path / "two_flyte.py").read_text()
    assert "import job" not in (tmp_path / "jobs/one_flyte.py").read_text()


def test_drivers_in_a_circle(tmp_path: Path) -> None:
    job = "#!/bin/bash\n#SBATCH --time=5\npython3 work.py\nsbatch {}\n"
    files = {"a.sh": job.format("b.sh"), "b.sh": job.format("a.sh"), "work.py": WORK}
    review = convert(tmp_path, files)
    assert "S2F362" in rules(review["a.sh"])
    assert "S2F362" in rules(review["b.sh"])
    review = convert(tmp_path, files | {"b.sh": "#!/bin/bash\n#SBATCH -t 5\ntrue\n"})
    assert "S2F362" not in rules(review["a.sh"])
