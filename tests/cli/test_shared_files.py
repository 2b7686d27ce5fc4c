"""Files that one job of a driver writes and another names: handed on, or said."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)
CHAIN = "a=$(sbatch --parsable a.sh)\nsbatch -d afterok:$a b.sh\n"
SUM = "import sys\nprint(sum(int(line) for line in open(sys.argv[1])))\n"


def review_of(folder: Path, driver: str, **jobs: str) -> dict[str, Any]:
    """Of the driver and the jobs that it submits, by the name of the file."""
    (folder / "submit.sh").write_text("#!/bin/bash\n" + driver)
    (folder / "sum.py").write_text(SUM)
    for name, text in jobs.items():
        (folder / f"{name}.sh").write_text("#!/bin/bash\n#SBATCH --time=5\n" + text)
    done = subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    review = json.loads((folder / "review.json").read_text())
    for one in review["inputs"]:
        assert not {f["rule"] for f in one["findings"]} & {"S2F900", "S2F901"}
    return {one["path"]: one for one in review["inputs"]}


def said(one: dict[str, Any], rule: str) -> list[str]:
    return [each["message"] for each in one["findings"] if each["rule"] == rule]


@pytest.mark.parametrize(
    ("writes", "reads"),
    [
        ("echo 1 > out.txt\n", "python3 sum.py out.txt\n"),
        ("echo 1 > ./out.txt\n", "shopt -s nullglob\nsort out.txt\n"),
        ('echo 1 > "$SLURM_SUBMIT_DIR/out.txt"\n', "wc -l < out.txt\n"),
        ("OUT=out.txt\necho 1 > $OUT\n", "python3 sum.py $PWD/out.txt\n"),
        ("mkdir -p o\necho 1 > o/out.txt\n", "./program --folder=o\n"),
        ("mkdir -p o\necho 1 > o/out.txt\n", "cd o\npython3 ../sum.py out.txt\n"),
    ],
)
def test_the_same_path_is_handed_on(tmp_path: Path, writes: str, reads: str) -> None:
    review = review_of(tmp_path, CHAIN, a=writes, b=reads)
    module = (tmp_path / "submit_flyte.py").read_text()
    assert not said(review["b.sh"], "S2F605")
    assert "out: File | None" in module or "out: File)" in module
    assert "(out=out)" in module


@pytest.mark.parametrize(
    ("driver", "why"),
    [
        ("sbatch a.sh\nsbatch b.sh\n", "does not wait"),
        ("a=$(sbatch --parsable a.sh)\nsbatch -d after:$a b.sh\n", "waits for a start"),
        ("a=$(sbatch --parsable a.sh)\nsbatch -d afterany:$a b.sh\n", "or it failed"),
        ('[ -n "$1" ] && a=$(sbatch --parsable a.sh)\nsbatch b.sh\n', "or never ran"),
    ],
)
def test_what_is_not_certain_is_said(tmp_path: Path, driver: str, why: str) -> None:
    review = review_of(
        tmp_path, driver, a="echo 1 > out.txt\n", b="python3 sum.py out.txt\n"
    )
    failed = why == "or it failed"
    found = said(review["b.sh"], "S2F364" if failed else "S2F605")
    tail = ", where that may have failed" if failed else ""
    assert found == [f"out.txt is written by a.sh and read here{tail}."], why


def test_a_path_of_the_caller_that_an_earlier_job_may_write(tmp_path: Path) -> None:
    reads = "python3 sum.py /scratch/lab/set/table.csv\n"
    review = review_of(tmp_path, CHAIN, a="cd /scratch/lab/set\n./make\n", b=reads)
    assert "table: File" in (tmp_path / "submit_flyte.py").read_text()
    assert said(review["b.sh"], "S2F605") == [
        "/scratch/lab/set/table.csv may be written by a.sh, which names /scratch/lab/set."
    ]


def test_a_path_that_others_only_read_is_the_callers(tmp_path: Path) -> None:
    reads = "python3 sum.py /project/lab/table.csv\n"
    review = review_of(tmp_path, CHAIN, a=reads, b="cat /project/lab/other.csv\n")
    assert not said(review["a.sh"], "S2F605")
    assert not said(review["b.sh"], "S2F605")


def test_files_of_an_array_are_a_list(tmp_path: Path) -> None:
    a = "#SBATCH --array=0-3\nmkdir -p o\necho 1 > o/out_$SLURM_ARRAY_TASK_ID.txt\n"
    review = review_of(tmp_path, CHAIN, a=a, b="cat o/*.txt | ./merge > all.txt\n")
    module = (tmp_path / "submit_flyte.py").read_text()
    assert "async def b(a_files: list[File])" in module
    assert 'await fetch_all(a_files, HERE / "o")' in module
    assert said(review["b.sh"], "S2F360")
    assert not said(review["b.sh"], "S2F605")


def test_one_name_for_all_elements_is_no_list(tmp_path: Path) -> None:
    """Which of them wrote it last nobody knows."""
    a = "#SBATCH --array=0-3\necho $SLURM_ARRAY_TASK_ID > out.txt\n"
    review = review_of(tmp_path, CHAIN, a=a, b="python3 sum.py out.txt\n")
    assert "list[File]" not in (tmp_path / "submit_flyte.py").read_text()
    assert said(review["b.sh"], "S2F605")


def test_the_graph_has_the_files(tmp_path: Path) -> None:
    review_of(tmp_path, CHAIN, a="echo 1 > out.txt\n", b="python3 sum.py out.txt\n")
    review = (tmp_path / "submit_flyte.review.md").read_text()
    assert "```mermaid" in review
    assert "a --> b" in review or "-->" in review
