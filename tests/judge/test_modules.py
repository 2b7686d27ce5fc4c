"""The modules of all cases, judged at once with the real SDK, ruff and pyright."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from golden_cases import cases
from hand_written import hand_written_cases

JUDGE = Path(__file__).resolve().parent / "check_output.py"
# Not every case has a module: sbatch refuses one, another stays what it is.
NAMES = [case.name for case in (*cases(), *hand_written_cases())]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The errors of each case's modules."""
    top = tmp_path_factory.mktemp("modules")
    for case in (*cases(), *hand_written_cases()):
        case.convert(top / case.name)
    command = [sys.executable, str(JUDGE), str(top)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False
    )
    report = json.loads(done.stdout)
    errors: dict[str, list[str]] = {name: [] for name in NAMES}
    for result in report["results"]:
        path = Path(result["file"]).relative_to(top.resolve())
        errors[path.parts[0]] += [f"{path}: {error}" for error in result["errors"]]
    return errors


@pytest.mark.parametrize("name", NAMES)
def test_module_is_clean(name: str, verdicts: dict[str, list[str]]) -> None:
    assert verdicts[name] == []
