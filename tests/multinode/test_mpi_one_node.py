"""MPI on one node: on Slurm, or within one task where the site file says so."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = "#!/bin/bash\n#SBATCH --nodes={nodes}\n#SBATCH --ntasks=4\n#SBATCH --mem=4G\n"
ANSWER = '[mpi]\none_node = "{answer}"\n'


def convert(
    folder: Path, body: str, answer: str = "container", nodes: int = 1
) -> tuple[str, set[str]]:
    """The module, on one line, and the rules of the review."""
    (folder / "job.sh").write_text(HEADER.format(nodes=nodes) + body + "\n")
    if answer:
        (folder / "slurm2flyte.toml").write_text(ANSWER.format(answer=answer))
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", "job.sh", "--report", "review.json", "--force"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    review = json.loads((folder / "review.json").read_text())["inputs"][0]
    text = " ".join((folder / "job_flyte.py").read_text().split())
    return text, {each["rule"] for each in review["findings"]}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("mpirun ./solver -in a", '"mpirun", "-np", 4, "./solver", "-in", "a"'),
        ("mpirun -np 2 ./solver", '"mpirun", "-np", 2, "./solver"'),
        ("mpiexec -n 3 ./solver", '"mpiexec", "-n", 3, "./solver"'),
        ("srun ./solver -in a", '"mpirun", "-np", 4, "./solver", "-in", "a"'),
        ("srun --mpi=pmix -n 2 lmp -in a", '"mpirun", "-np", 2, "lmp", "-in", "a"'),
    ],
)
def test_within_one_task(body: str, words: str, tmp_path: Path) -> None:
    text, rules = convert(tmp_path, body)
    assert "SlurmScriptTask(" not in text
    assert (
        words.replace(", 4,", ', "4",')
        .replace(", 2,", ', "2",')
        .replace(", 3,", ', "3",')
        in text
        or words in text
    )
    assert "S2F766" in rules
    assert "S2F702" not in rules


@pytest.mark.parametrize(
    ("body", "answer", "nodes"),
    [
        ("mpirun ./solver", "", 1),
        ("mpirun ./solver", "slurm", 1),
        ("mpirun ./solver", "container", 2),
        ("srun ./solver", "container", 2),
        ("mpirun -hostfile hosts ./solver", "container", 1),
        ("ibrun ./solver", "container", 1),
        ("srun -o %t.log ./solver", "container", 1),
    ],
)
def test_on_slurm(body: str, answer: str, nodes: int, tmp_path: Path) -> None:
    text, rules = convert(tmp_path, body, answer, nodes)
    assert "SlurmScriptTask(" in text
    assert "S2F766" not in rules
    assert "S2F702" in rules


def test_the_choice_is_said(tmp_path: Path) -> None:
    convert(tmp_path, "mpirun ./solver", "")
    review = json.loads((tmp_path / "review.json").read_text())["inputs"][0]
    (finding,) = (each for each in review["findings"] if each["rule"] == "S2F702")
    assert any("one_node" in choice for choice in finding["choices"])
