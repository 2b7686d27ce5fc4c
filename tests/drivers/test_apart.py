"""What one job wrote another reads, also where their tasks share no folder."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cases import DATA

HERE = Path(__file__).parent
ANSWERS: dict[str, Any] = json.loads((HERE / "answers.json").read_text())
BINARY = os.environ.get(
    "S2F_BINARY", str(HERE.parents[1] / "build" / "dev" / "slurm2flyte")
)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Path]]:
    top = tmp_path_factory.mktemp("apart")
    wanted = []
    for name, case in DATA.items():
        folder = top / name
        folder.mkdir()
        for file, text in case.files().items():
            (folder / file).write_text(text)
        subprocess.run([BINARY, "convert", "-q", "submit.sh"], cwd=folder, check=True)
        wanted.append(
            {
                "folder": str(folder),
                "module": "submit_flyte.py",
                "entry": "main",
                "arguments": case.arguments,
                "environment": {},
            }
        )
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SLURM", "SBATCH", "FLYTE"))
    }
    ran = subprocess.run(
        [sys.executable, str(HERE / "run_apart.py")],
        input=json.dumps(wanted),
        env=environment | {"HOME": str(top)},
        capture_output=True,
        text=True,
        check=True,
    )
    errors = json.loads(ran.stdout.splitlines()[-1])
    return {
        name: (error, Path(each["folder"]))
        for name, each, error in zip(DATA, wanted, errors, strict=True)
    }


@pytest.mark.parametrize("name", DATA)
def test_values_flow(name: str, outcomes: dict[str, tuple[str, Path]]) -> None:
    error, folder = outcomes[name]
    lines = (folder / "log.txt").read_text().splitlines()
    ran = Counter(line[6:] for line in lines if line.startswith("start "))
    assert ran == Counter(ANSWERS[f"{name}|"]["ran"]), error
    assert not error
