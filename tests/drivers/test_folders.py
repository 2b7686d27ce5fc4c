"""Arrays whose elements take the files of a directory: as Bash takes them, element by element."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BINARY = os.environ.get(
    "S2F_BINARY", str(HERE.parents[1] / "build" / "dev" / "slurm2flyte")
)
SHOW = 'echo "$SLURM_ARRAY_TASK_ID $(basename "{file}") $(cat "{file}")" >> log.txt\n'
FORMS = {
    "list": (
        "0-2",
        'FILES=({data}/*.txt)\nF="${{FILES[$SLURM_ARRAY_TASK_ID]}}"\n',
    ),
    "counted from 1": (
        "1-3",
        "FILES=({data}/*.txt)\nF=${{FILES[$SLURM_ARRAY_TASK_ID-1]}}\n",
    ),
    "a number of its own": (
        "0-2",
        "N=$((SLURM_ARRAY_TASK_ID % 2))\nFILES=({data}/*.txt)\nF=${{FILES[$N]}}\n",
    ),
    "sed": (
        "1-3",
        'F=$(ls {data}/*.txt | sed -n "${{SLURM_ARRAY_TASK_ID}}p")\n',
    ),
    "awk": (
        "1-2",
        'F=$(ls {data}/[a-z]*.txt | awk "NR==$SLURM_ARRAY_TASK_ID")\n',
    ),
    "more elements than files": (
        "0-4",
        (
            "FILES=({data}/*.txt)\nF=${{FILES[$SLURM_ARRAY_TASK_ID]}}\n"
            '[ -n "$F" ] || exit 0\n'
        ),
    ),
}


def lines(log: Path) -> list[str]:
    return sorted(log.read_text().splitlines()) if log.exists() else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "b.txt": "two\n",
        "a.txt": "one\n",
        "C.txt": "big\n",
        ".hidden.txt": "dot\n",
        "n.md": "md\n",
    }.items():
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("form", FORMS)
def test_elements_take_their_files(form: str, folder: Path) -> None:
    indices, take = FORMS[form]
    data = folder / "data"
    script = (
        f"#!/bin/bash\n#SBATCH --array={indices}\n"
        + take.format(data=data)
        + SHOW.replace("{file}", "$F")
    )
    first, last = (int(each) for each in indices.split("-"))
    for where in ("bash", "flyte"):
        (folder / where).mkdir()
        (folder / where / "each.sh").write_text(script)
    for index in range(first, last + 1):
        subprocess.run(
            ["bash", "each.sh"],
            cwd=folder / "bash",
            env={"SLURM_ARRAY_TASK_ID": str(index), "PATH": os.environ["PATH"]}
            | {"LC_ALL": "C"},
            check=True,
        )
    subprocess.run(
        [BINARY, "convert", "-q", "each.sh", "--report", "review.json"],
        cwd=folder / "flyte",
        check=True,
    )
    module = (folder / "flyte" / "each_flyte.py").read_text()
    review = (folder / "flyte" / "review.json").read_text()
    assert "S2F370" in review
    assert str(data) not in module.split("async def main")[1]
    wanted = {
        "folder": str(folder / "flyte"),
        "module": "each_flyte.py",
        "entry": "main",
        "arguments": {"data": str(data)},
        "folders": ["data"],
        "environment": {},
    }
    ran = subprocess.run(
        [sys.executable, str(HERE / "run_modules.py")],
        input=json.dumps([wanted]),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"HOME": str(folder)},
    )
    assert json.loads(ran.stdout.splitlines()[-1]) == [""]
    assert lines(folder / "flyte" / "log.txt") == lines(folder / "bash" / "log.txt")
