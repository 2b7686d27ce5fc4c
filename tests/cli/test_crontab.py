"""What crontabs and scrontabs become: triggers in the modules of the scripts that they start."""

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
JOB = '#!/bin/bash\n#SBATCH --time=45\npython evaluate.py "$1"\n'
PLAIN = "#!/bin/bash\n#SBATCH --time=45\npython evaluate.py\n"
DRIVER = "#!/bin/bash\nsbatch jobs/nightly.sh\n"


def convert(folder: Path, files: dict[str, str], *names: str) -> dict[str, Any]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [BINARY, "convert", "-q", *names, "--report", "review.json"],
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
    return {one["path"]: one for one in review["inputs"]}


def rules(one: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in one["findings"]}


def trigger(text: str) -> str:
    found = re.findall(r"^\w+ = flyte\.Trigger\(.*?^\)", text, re.DOTALL | re.MULTILINE)
    return "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "0 2 * * 1-5 /usr/bin/sbatch /home/alice/jobs/nightly.sh",
        "0 2 * * 1-5 cd $HOME/jobs && sbatch nightly.sh > /dev/null 2>&1",
        "0 2 * * 1-5 . /etc/profile; cd ~/jobs; sbatch ./nightly.sh",
        "0 2 * * 1-5 bash -lc 'cd jobs && sbatch nightly.sh'",
        "0 2 * * 1-5 (cd /a/b/jobs && sbatch nightly.sh)",
    ],
)
def test_line_becomes_a_trigger(line: str, tmp_path: Path) -> None:
    files = {"crontab": line + "\n", "jobs/nightly.sh": PLAIN}
    found = convert(tmp_path, files, "crontab")
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert 'flyte.Cron("0 2 * * 1-5", timezone=ZONE),  # crontab:1' in module
    assert "triggers=" in module
    assert "S2F310" in rules(found["crontab"])
    assert ("S2F602" in rules(found["crontab"])) == (
        " cd " not in line and "cd /" not in line and "'cd" not in line
    )
    assert found["crontab"]["output"] == "jobs/nightly_flyte.py"


def test_options_arguments_and_variables(tmp_path: Path) -> None:
    crontab = (
        "CRON_TZ=Europe/Berlin\nMAILTO=alice@example.org\n"
        "0 2 * * 7 cd jobs && sbatch --mem=4G -p big nightly.sh full\n"
        "30 2 * * 7 cd jobs && sbatch --mem=8G nightly.sh\n"
    )
    files = {"crontab": crontab, "jobs/nightly.sh": JOB}
    found = convert(tmp_path, files, ".")
    assert rules(found["crontab"]) == {"S2F332"}
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert 'ZONE = "Europe/Berlin"  # crontab:1' in module
    assert 'memory="4Gi"' in module
    assert 'queue="big"' in module
    assert 'flyte.Cron("0 2 * * 0", timezone=ZONE),  # crontab:3' in module
    assert 'inputs={"arg1": "full"}' in module
    assert 'inputs={"arg1": ""}' in module
    assert "triggers=(" in module


def test_driver_is_started(tmp_path: Path) -> None:
    files = {
        "cron/jobs.cron": "@daily cd /home/a/work && ./submit.sh\n",
        "submit.sh": DRIVER,
        "jobs/nightly.sh": PLAIN,
    }
    found = convert(tmp_path, files, ".")
    module = (tmp_path / "submit_flyte.py").read_text()
    assert 'flyte.Cron("0 0 * * *", timezone=ZONE)' in trigger(module)
    assert "triggers=submit" in module
    assert module.index("triggers=submit") < module.index("async def main")
    assert found["cron/jobs.cron"]["output"] == "submit_flyte.py"


def test_lines_that_stay(tmp_path: Path) -> None:
    crontab = (
        "@reboot sbatch nightly.sh\n5 4 * * * /usr/bin/rsync -a a b\n"
        "0 1 * * * sbatch gone.sh\n0 1 * * * sbatch nightly.sh%text\n"
    )
    files = {"crontab": crontab, "nightly.sh": PLAIN}
    found = convert(tmp_path, files, "crontab")
    assert [f["line"] for f in found["crontab"]["findings"]] == [1, 2, 3, 4]
    assert rules(found["crontab"]) == {"S2F331"}
    assert found["crontab"]["verdict"] == "not_converted"


def test_commands_of_scrontab_are_jobs(tmp_path: Path) -> None:
    scrontab = (
        "DATA=/data\n#SCRON --time=30 --mem=4G\n#SCRON -J sync\n"
        '15 3 * * * python sync.py --to "$DATA"\n'
        "#SCRON -t 5\n@hourly ./check.sh quick\n"
        "0 5 * * 7 cd jobs && sbatch nightly.sh\n"
    )
    files = {
        "scrontab": scrontab,
        "sync.py": "",
        "check.sh": "#!/bin/sh\necho ok\n",
        "jobs/nightly.sh": PLAIN,
    }
    found = convert(tmp_path, files, "scrontab")
    assert set(found) == {"scrontab", "jobs/nightly.sh"}
    module = (tmp_path / "scrontab_flyte.py").read_text()
    assert 'memory="4Gi"' in module
    assert 'name="sync"' in module
    assert "timeout=timedelta(minutes=5)" in module
    assert '"data": "/data"' in module
    assert trigger(module).count("flyte.Cron(") == 2
    assert "0 5 * * 0" in (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert rules(found["scrontab"]) <= {
        "S2F203",
        "S2F310",
        "S2F504",
        "S2F205",
        "S2F601",
    }


def test_zone_of_the_site(tmp_path: Path) -> None:
    files = {
        "crontab": "0 2 * * * cd jobs && sbatch nightly.sh\n",
        "jobs/nightly.sh": PLAIN,
        "slurm2flyte.toml": '[schedule]\ntimezone = "Europe/Paris"\n',
    }
    found = convert(tmp_path, files, "crontab")
    assert "S2F310" not in rules(found["crontab"])
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert 'ZONE = "Europe/Paris"' in module


READS = '#!/bin/bash\n#SBATCH --time=45\npython evaluate.py "$1" "$MODE"\n'


def inputs(text: str) -> list[str]:
    return re.findall(r"inputs=(\{.*\}|\{\n.*?\n    \})", text)


def test_a_variable_holds_from_its_line_on(tmp_path: Path) -> None:
    crontab = (
        "0 2 * * * cd jobs && sbatch nightly.sh a\n"
        "MODE = slow\n"
        "0 3 * * * cd jobs && sbatch nightly.sh b\n"
        'MODE="very slow"\n'
        "0 4 * * * cd jobs && sbatch nightly.sh c\n"
        "0 5 * * * cd jobs && MODE=own sbatch nightly.sh d\n"
        "0 6 * * * cd jobs && sbatch --export=ALL,MODE=given nightly.sh e\n"
        "0 7 * * * cd jobs && sbatch --export=NONE nightly.sh f\n"
        "0 8 * * * cd jobs && sbatch --export=MODE=alone nightly.sh g\n"
    )
    files = {"crontab": crontab, "jobs/nightly.sh": READS}
    found = convert(tmp_path, files, "crontab")
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    given = [json.loads(each) for each in inputs(module)]
    assert given == [
        {"arg1": name, "mode": mode}
        for name, mode in zip(
            "abcdefg",
            ["", "slow", "very slow", "own", "given", "", "alone"],
            strict=True,
        )
    ]
    assert rules(found["crontab"]) == {"S2F310"}


def test_a_variable_that_only_the_program_reads(tmp_path: Path) -> None:
    crontab = (
        "0 2 * * * cd jobs && sbatch nightly.sh\n"
        "MODE=slow\n"
        "0 3 * * * cd jobs && sbatch nightly.sh\n"
    )
    program = "import os\n\nprint(os.environ.get('MODE', 'fast'))\n"
    files = {
        "crontab": crontab,
        "jobs/nightly.sh": PLAIN,
        "jobs/evaluate.py": program,
    }
    convert(tmp_path, files, "crontab")
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert "mode: str | None = None" in module
    assert inputs(module) == ['{"mode": "slow"}']


def test_each_line_has_its_zone(tmp_path: Path) -> None:
    crontab = (
        "CRON_TZ=Europe/Berlin\n0 2 * * * cd jobs && sbatch nightly.sh\n"
        "CRON_TZ=Asia/Tokyo\n0 3 * * * cd jobs && sbatch nightly.sh\n"
    )
    files = {"crontab": crontab, "jobs/nightly.sh": PLAIN}
    convert(tmp_path, files, "crontab")
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert 'flyte.Cron("0 2 * * *", timezone=ZONE)' in module
    assert 'flyte.Cron("0 3 * * *", timezone="Asia/Tokyo")' in module


@pytest.mark.parametrize(
    "bad",
    ["0 25 * * *", "61 * * * *", "* * * *", "@every 5m", "0 2 30 2,13 *"],
)
def test_one_bad_line_is_no_job_script(bad: str, tmp_path: Path) -> None:
    crontab = f"0 2 * * * cd jobs && sbatch nightly.sh\n{bad} cd jobs && sbatch nightly.sh x\n"
    files = {"crontab": crontab, "jobs/nightly.sh": PLAIN}
    found = convert(tmp_path, files, "crontab")
    assert rules(found["crontab"]) == {"S2F310", "S2F335"}
    bad_ones = [f for f in found["crontab"]["findings"] if f["rule"] == "S2F335"]
    assert [f["line"] for f in bad_ones] == [2]
    module = (tmp_path / "jobs/nightly_flyte.py").read_text()
    assert module.count("flyte.Cron(") == 1
