"""A secret of the submitting shell is no parameter, whichever way a driver hands it on."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)
JOB = '#!/bin/bash\n#SBATCH --mem=1G\npython3 show.py "$1" "$2"\n'
SHOW = "import os\nimport sys\n\nprint(sys.argv[1:], os.environ.get('TOKEN'))\n"


def convert(folder: Path, driver: str, job: str) -> tuple[str, dict[str, Any]]:
    files = {"submit.sh": "#!/bin/bash\n" + driver, "s.sh": job, "show.py": SHOW}
    for name, text in files.items():
        (folder / name).write_text(text)
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=folder,
        check=False,
        capture_output=True,
    )
    inputs = json.loads((folder / "review.json").read_text())["inputs"]
    for one in inputs:
        assert one["lines"] == one["lines_accounted"]
    one = inputs[0] | {"findings": [f for each in inputs for f in each["findings"]]}
    module = folder / "submit_flyte.py"
    return module.read_text() if module.exists() else "", one


def parameters(text: str) -> str:
    return "\n".join(re.findall(r"async def \w+\([^)]*\)", text))


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ('"$API_TOKEN"', 'os.environ.get("API_TOKEN", "")'),
        ("$API_TOKEN", 'os.environ.get("API_TOKEN", "")'),
        ("${API_TOKEN:-x}", 'os.environ.get("API_TOKEN", "x")'),
        ('"${API_TOKEN:?none}"', 'os.environ.get("API_TOKEN", "")'),
    ],
)
def test_an_argument(word: str, value: str, tmp_path: Path) -> None:
    module, one = convert(tmp_path, f"sbatch s.sh data {word}\n", JOB)
    assert "token" not in parameters(module)
    assert f"arg2 = {value}" in module
    assert 'as_env_var="API_TOKEN"' in module
    assert "S2F802" in {finding["rule"] for finding in one["findings"]}
    assert 's(arg1="data")' in module


@pytest.mark.parametrize(
    "driver",
    [
        'sbatch s.sh "--token=$API_TOKEN"\n',
        'for f in $(ls | sort -r); do sbatch s.sh "$f" "$API_TOKEN"; done\n',
        'sbatch s.sh a "$API_TOKEN"\nsbatch s.sh a b\n',
    ],
)
def test_what_would_show_it_is_not_lifted(driver: str, tmp_path: Path) -> None:
    module, one = convert(tmp_path, driver, JOB)
    assert one["verdict"] == "not_converted"
    assert "api_token" not in module
    assert "main" not in parameters(module)
    assert any("secret" in each["message"] for each in one["findings"])


def test_among_a_list(tmp_path: Path) -> None:
    job = JOB.replace('"$1" "$2"', '"$@"')
    module, one = convert(tmp_path, 'sbatch s.sh data "$API_TOKEN"\n', job)
    assert "S2F334" in {finding["rule"] for finding in one["findings"]}
    assert 's(arguments=["data", ""])' in module
    assert "token" not in parameters(module)


@pytest.mark.parametrize(
    "driver",
    [
        "TOKEN=$API_TOKEN sbatch s.sh a b\n",
        'export TOKEN="$API_TOKEN"\nsbatch s.sh a b\n',
        "sbatch --export=ALL,TOKEN=$API_TOKEN s.sh a b\n",
    ],
)
def test_a_variable_of_the_program(driver: str, tmp_path: Path) -> None:
    module, _ = convert(tmp_path, driver, JOB)
    assert "token" not in parameters(module)
    assert 'as_env_var="TOKEN"' in module or 'as_env_var="API_TOKEN"' in module


@pytest.mark.parametrize(
    "driver",
    [
        'sbatch --wrap="python3 show.py $API_TOKEN b"\n',
        "sbatch <<EOF\n#!/bin/bash\npython3 show.py $API_TOKEN\nEOF\n",
        (
            "for f in $(ls | sort -r); do sbatch <<EOF\n#!/bin/bash\n"
            "python3 show.py $f ${API_TOKEN}\nEOF\ndone\n"
        ),
    ],
)
def test_in_a_text(driver: str, tmp_path: Path) -> None:
    module, one = convert(tmp_path, driver, JOB)
    assert "token" not in parameters(module)
    assert not re.search(r"submit .*API_TOKEN|\bvalue\w*=.*token", module)
    assert 'os.environ.get("API_TOKEN"' in module
    assert "S2F802" in {finding["rule"] for finding in one["findings"]}
