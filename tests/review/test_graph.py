"""The graph of a driver's jobs: what waits for what, in JSON, Markdown and HTML."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

BINARY = os.environ.get("S2F_BINARY")
pytestmark = pytest.mark.skipif(not BINARY, reason="S2F_BINARY is not set")

DRIVER = """#!/bin/bash
PREP=$(sbatch --parsable prep.sh)
for f in 1 2 3; do
  ids="$ids:$(sbatch --parsable --dependency=afterok:$PREP train.sh $f)"
done
E=$(sbatch --parsable --array=1-8 --dependency=afterok$ids rate.sh)
sbatch --dependency=afternotok:$E alarm.sh
sbatch --dependency=afterany:$E clean.sh
"""


def report(folder: Path, driver: str, name: str) -> str:
    (folder / "submit.sh").write_text(driver)
    for job in ("prep", "train", "rate", "alarm", "clean"):
        (folder / f"{job}.sh").write_text(f"#!/bin/bash\npython {job}.py\n")
    assert BINARY
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", name, "--force"],
        cwd=folder,
        check=True,
    )
    return (folder / name).read_text()


def test_edges_follow_ids_through_variables(tmp_path: Path) -> None:
    inputs = json.loads(report(tmp_path, DRIVER, "r.json"))["inputs"]
    graph = inputs[0]["graph"]
    names = [node["name"] for node in graph["nodes"]]
    assert names == ["prep", "train", "rate", "alarm", "clean"]
    assert [node["note"] for node in graph["nodes"]] == [
        None,
        "in a loop",
        "8 elements",
        None,
        None,
    ]
    edges = {
        (names[edge["from"]], names[edge["to"]], edge["kind"])
        for edge in graph["edges"]
    }
    assert edges == {
        ("prep", "train", "afterok"),
        ("train", "rate", "afterok"),
        ("rate", "alarm", "afternotok"),
        ("rate", "clean", "afterany"),
    }
    # The jobs' own reviews have none.
    assert all("graph" not in one for one in inputs[1:])


def test_markdown_has_a_flowchart(tmp_path: Path) -> None:
    text = report(tmp_path, DRIVER, "r.md")
    chart = re.search(r"```mermaid\n(.*?)```\n\n", text, re.DOTALL)
    assert chart
    assert 'j2["rate<br>8 elements"]' in chart.group(1)
    assert "j0 --> j1" in chart.group(1)
    assert "j2 -.->|afterany| j4" in chart.group(1)


def test_one_job_is_no_graph(tmp_path: Path) -> None:
    driver = "#!/bin/bash\nsbatch prep.sh\n"
    assert "mermaid" not in report(tmp_path, driver, "r.md")
    assert "<svg" not in report(tmp_path, driver, "r.html")


def test_page_draws_every_job_and_says_it_in_words(tmp_path: Path) -> None:
    page = report(tmp_path, DRIVER, "r.html")
    drawing = re.search(r"<svg class=\"graph\".*?</svg>", page, re.DOTALL)
    assert drawing
    assert drawing.group().count("<rect") == 5
    assert drawing.group().count('class="edge dashed"') == 2
    assert "rate (8 elements) after train (afterok)" in drawing.group()


CHAIN = """#!/bin/bash
id=$(sbatch --parsable prep.sh)
id=$(sbatch --parsable --dependency=afterok:$id train.sh 1)
id=$(sbatch --parsable --dependency=afterok:$id rate.sh)
sbatch --dependency=afterany:$id clean.sh
"""


def edges_of(folder: Path, driver: str) -> set[tuple[str, str, str]]:
    graph = json.loads(report(folder, driver, "r.json"))["inputs"][0]["graph"]
    names = [node["name"] for node in graph["nodes"]]
    return {(names[e["from"]], names[e["to"]], e["kind"]) for e in graph["edges"]}


def test_a_variable_that_is_set_again_holds_the_last_job_alone(tmp_path: Path) -> None:
    assert edges_of(tmp_path, CHAIN) == {
        ("prep", "train", "afterok"),
        ("train", "rate", "afterok"),
        ("rate", "clean", "afterany"),
    }


def test_what_a_branch_sets_is_added(tmp_path: Path) -> None:
    driver = CHAIN.replace(
        "id=$(sbatch --parsable --dependency=afterok:$id rate.sh)",
        'if [ "$1" = rate ]; then\n  id=$(sbatch --parsable --dependency=afterok:$id rate.sh)\nfi',
    )
    assert ("train", "clean", "afterany") in edges_of(tmp_path, driver)
    assert ("rate", "clean", "afterany") in edges_of(tmp_path, driver)


def test_a_loop_follows_itself(tmp_path: Path) -> None:
    driver = CHAIN.replace(
        "id=$(sbatch --parsable --dependency=afterok:$id train.sh 1)",
        "for f in 1 2; do\n  id=$(sbatch --parsable --dependency=afterok:$id train.sh $f)\ndone",
    )
    edges = edges_of(tmp_path, driver)
    assert {("prep", "train", "afterok"), ("train", "train", "afterok")} <= edges
    assert ("train", "rate", "afterok") in edges
