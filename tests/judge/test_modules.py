"""The modules of all cases, judged at once with the real SDK, ruff and pyright."""

import importlib.util
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


# pyspark, which the plugin imports, has 400 MB: who has both installed gets the verdict.
NO_SPARK = importlib.util.find_spec("flyteplugins.spark") is None


def needs_spark(name: str) -> bool:
    modules = (case.expected for case in cases() if case.name == name)
    return any(
        "from flyteplugins.spark" in module.read_text()
        for folder in modules
        for module in folder.glob("*_flyte.py")
    )


@pytest.mark.parametrize("name", NAMES)
def test_module_is_clean(name: str, verdicts: dict[str, list[str]]) -> None:
    if NO_SPARK and needs_spark(name):
        pytest.skip("flyteplugins-spark is not installed")
    assert verdicts[name] == []
