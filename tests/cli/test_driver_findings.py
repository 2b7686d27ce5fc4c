"""What a driver's jobs leave to each other under names of a run, and scripts that it names elsewhere."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)
HEAD = "#!/bin/bash\n#SBATCH --time=5\n"
CHAIN = "a=$(sbatch --parsable a.sh)\nsbatch -d afterok:$a b.sh\n"


def convert(
    folder: Path, files: dict[str, str], *arguments: str, code: tuple[int, ...] = (0, 1)
) -> dict[str, Any]:
    """Write the files and convert; of each script its part of the review."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [BINARY, "convert", "-q", *arguments, "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in code, done.stderr
    review = json.loads((folder / "review.json").read_text())
    for one in review["inputs"]:
        assert one["lines"] == one["lines_accounted"], one["path"]
        assert not {f["rule"] for f in one["findings"]} & {"S2F900", "S2F901"}
    return {one["path"]: one for one in review["inputs"]}


def drive(folder: Path, driver: str, **jobs: str) -> dict[str, Any]:
    files = {f"{name}.sh": HEAD + text for name, text in jobs.items()}
    return convert(folder, files | {"drive.sh": "#!/bin/bash\n" + driver}, "drive.sh")


def said(one: dict[str, Any], rule: str) -> list[str]:
    return [each["message"] for each in one["findings"] if each["rule"] == rule]


@pytest.mark.parametrize(
    ("writes", "reads", "pattern"),
    [
        ("split -l 1 list.txt part_\n", "cat part_* > all.txt\n", "part_*"),
        ("mkdir -p r\ncd r\n./make\n", "cat r/*.out > all.txt\n", "r"),
        ("./make && mv x.tmp r/x.out\n", "cat r/*.out > all.txt\n", "r/*.out"),
        (
            'for i in 1 2; do (echo $i) > "v_$i.dat"; done\n',
            "cat v_*.dat > all.txt\n",
            "v_*.dat",
        ),
    ],
)
def test_names_of_a_run_are_handed_on(
    tmp_path: Path, writes: str, reads: str, pattern: str
) -> None:
    review = drive(tmp_path, CHAIN, a=writes, b=reads)
    module = (tmp_path / "drive_flyte.py").read_text()
    assert f'return await keep_left("{pattern}")' in module
    assert "await place_left(a_left)" in module
    assert said(review["b.sh"], "S2F360")
    assert not said(review["b.sh"], "S2F363")


def test_a_directory_that_is_handed_on_is_not_left_behind(tmp_path: Path) -> None:
    review = drive(
        tmp_path, CHAIN, a="mkdir -p r\ncd r\n./make\n", b="cat r/*.out > all.txt\n"
    )
    assert not said(review["a.sh"], "S2F604")
    review = drive(tmp_path, "sbatch a.sh\n", a="mkdir -p r\ncd r\n./make\n")
    assert said(review["a.sh"], "S2F604")


def test_what_nobody_is_known_to_leave_is_said(tmp_path: Path) -> None:
    review = drive(tmp_path, CHAIN, a="./simulate\n", b="cat parts/*.out > all.txt\n")
    assert said(review["b.sh"], "S2F363")
    # Nothing to wait for.
    review = drive(tmp_path, "sbatch b.sh\n", b="cat parts/*.out > all.txt\n")
    assert not said(review["b.sh"], "S2F363")
    # What a loop hands each of its turns is not known by one name.
    review = drive(
        tmp_path,
        "for x in u v; do\n  a=$(sbatch --parsable a.sh $x)\n"
        "  sbatch -d afterok:$a b.sh $x\ndone\n",
        a='cd "$1"\n./simulate\n',
        b='cat "$1"/*.out > all.txt\n',
    )
    assert said(review["b.sh"], "S2F363")


@pytest.mark.parametrize("kind", ["afternotok", "afterany"])
@pytest.mark.parametrize(
    ("writes", "reads"),
    [
        ("echo 1 > state.txt\n./work\n", "cat state.txt\n"),
        ("mkdir -p ck\ncd ck\n./work\n", "cat ck/*.bin > last\n"),
    ],
)
def test_files_of_a_job_that_failed_are_said(
    tmp_path: Path, kind: str, writes: str, reads: str
) -> None:
    driver = CHAIN.replace("afterok", kind)
    review = drive(tmp_path, driver, a=writes, b=reads)
    assert len(said(review["b.sh"], "S2F364")) == 1
    assert not said(review["b.sh"], "S2F605")


def test_another_job_is_no_earlier_run(tmp_path: Path) -> None:
    asks = "if [ ! -f state.txt ]; then\n  ./work\nfi\n"
    review = drive(
        tmp_path,
        CHAIN.replace("afterok", "afternotok"),
        a="echo 1 > state.txt\n./work\n",
        b=asks,
    )
    assert said(review["b.sh"], "S2F364")
    assert not said(review["b.sh"], "S2F609")
    review = drive(tmp_path, "sbatch b.sh\n", b=asks)
    assert said(review["b.sh"], "S2F609")


def test_scripts_are_named_by_variables(tmp_path: Path) -> None:
    loop = "for f in $(ls *.txt | sort -r); do\n  sbatch {} $f\ndone\n"
    review = drive(
        tmp_path,
        'S=a.sh\n[ -n "$1" ] && S=b.sh\n' + loop.format("$S"),
        a="true\n",
        b="true\n",
    )
    assert not said(review["drive.sh"], "S2F365")
    module = (tmp_path / "drive_flyte.py").read_text()
    assert 'each.script == "a.sh"' in module
    assert 'each.script == "b.sh"' in module
    review = drive(
        tmp_path, loop.format('"$(cat which)"') + "sbatch a.sh\n", a="true\n"
    )
    assert said(review["drive.sh"], "S2F365")


def test_scripts_in_other_directories(tmp_path: Path) -> None:
    files = {
        "common.sh": HEAD + "echo common\n",
        "x/run.sh": "#!/bin/bash\nsbatch ../common.sh\n",
        "scripts/a.sh": HEAD + "echo a\n",
        "scripts/all.sh": "#!/bin/bash\nsbatch scripts/a.sh\n",
    }
    review = convert(tmp_path, files, "x/run.sh", "scripts/all.sh")
    for driver in ("x/run.sh", "scripts/all.sh"):
        assert not said(review[driver], "S2F323")
        assert review[driver]["verdict"] != "not_converted"


def test_scripts_submit_each_other_in_a_circle_of_three(tmp_path: Path) -> None:
    files = {
        f"{name}.sh": HEAD + f"./step\nsbatch {after}.sh\n"
        for name, after in (("one", "two"), ("two", "three"), ("three", "one"))
    }
    review = convert(tmp_path, files, "one.sh", "two.sh", "three.sh")
    message = "It submits two.sh, which submits three.sh, which submits it again."
    assert said(review["one.sh"], "S2F362") == [message]


def test_the_module_is_called_what_the_command_line_calls_it(tmp_path: Path) -> None:
    files = {
        "drive.sh": "#!/bin/bash\n" + CHAIN,
        "a.sh": HEAD + "echo a\n",
        "b.sh": HEAD + "#SBATCH -N 2\nsrun ./solver\n",
    }
    convert(tmp_path, files, "drive.sh", "-o", "other.py")
    text = (tmp_path / "other.py").read_text()
    assert "flyte run other.py main" in text
    assert "drive_flyte.py" not in text


def test_modules_that_it_imports_stand_beside_it(tmp_path: Path) -> None:
    files = {
        "one.sh": "#!/bin/bash\n" + CHAIN,
        "two.sh": "#!/bin/bash\n" + CHAIN,
        "a.sh": HEAD + "echo a\n",
        "b.sh": HEAD + "echo b\n",
        "out/here": "",
    }
    convert(tmp_path, files, "one.sh", "-o", "out/all.py")
    assert (tmp_path / "out" / "all.py").exists()


def test_what_stands_around_a_line_of_a_crontab(tmp_path: Path) -> None:
    files = {
        "crontab": "CRON_TZ=UTC\nTOP=/home/me/proj\n"
        "0 3 * * * cd $TOP && sbatch nightly.sh >> cron.log 2>&1\n"
        "30 2 * * * sbatch --export=ALL,D=$(date +\\%F),X=1 nightly.sh\n",
        "nightly.sh": HEAD + 'echo "$D $X"\n',
    }
    review = convert(tmp_path, files, "crontab")
    messages = said(review["crontab"], "S2F366")
    assert any("/home/me/proj" in each for each in messages)
    assert any("cron.log" in each for each in messages)
    assert said(review["crontab"], "S2F332")
    assert not said(review["crontab"], "S2F331")


def test_what_jobs_inherit_is_not_dropped(tmp_path: Path) -> None:
    review = drive(
        tmp_path,
        "export CASE=big\nsbatch a.sh\nsbatch b.sh\n",
        a="./run\n",
        b="./run\n",
    )
    items = [each for each in review["drive.sh"]["items"] if each["line"] == 2]
    assert items
    assert all(each["disposition"] == "converted" for each in items)
