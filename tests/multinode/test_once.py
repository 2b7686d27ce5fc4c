"""What a script does once before its ranks: once on each node, while the other ranks wait."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = """#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
"""
RUN = "srun torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$MASTER_ADDR train.py\n"
# Takes its time, so that a rank that did not wait would find nothing.
PREPARE = """\
import pathlib, time
with open("prepared.log", "a") as log:
    log.write("once\\n")
time.sleep(1)
pathlib.Path("staged.txt").write_text("staged")
"""
FAILS = PREPARE + "raise SystemExit(3)\n"
TRAIN = """\
import os, pathlib
with open("ranks.log", "a") as log:
    log.write(os.environ["RANK"] + " " + pathlib.Path("staged.txt").read_text() + "\\n")
"""
REPORT = "open('report.log', 'a').write('reported\\n')\n"
NODE, WORLD = 4, 8


def convert(folder: Path, body: str, **files: str) -> None:
    script = folder / "job.sh"
    script.write_text(HEADER + body)
    for name, text in {
        "train": TRAIN,
        "prepare": PREPARE,
        "report": REPORT,
        **files,
    }.items():
        (folder / f"{name}.py").write_text(text)
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run([binary, "convert", "-q", "job.sh"], cwd=folder, check=False)
    assert "ClusteredTaskEnvironment(" in (folder / "job_flyte.py").read_text()


def ranks(folder: Path, node: int, run: str = "a") -> list[int]:
    """The task's function, in all ranks of a node at once: their statuses."""
    code = (
        "import asyncio, flyte, job_flyte as m; flyte.init(); asyncio.run(m.job.func())"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                "RANK": str(node * NODE + local),
                "LOCAL_RANK": str(local),
                "GROUP_RANK": str(node),
                "WORLD_SIZE": str(WORLD),
                "TORCHELASTIC_RUN_ID": run,
                "TMPDIR": str(folder),
            },
        )
        for local in range(NODE)
    ]
    return [each.wait() for each in started]


def lines(path: Path) -> list[str]:
    return sorted(path.read_text().splitlines()) if path.exists() else []


def test_each_node_prepares_once(tmp_path: Path) -> None:
    convert(tmp_path, "python prepare.py\n" + RUN)
    assert ranks(tmp_path, 0) == [0] * NODE
    assert lines(tmp_path / "prepared.log") == ["once"]
    assert lines(tmp_path / "ranks.log") == [f"{rank} staged" for rank in range(NODE)]
    assert ranks(tmp_path, 1) == [0] * NODE
    assert lines(tmp_path / "prepared.log") == ["once"] * 2
    assert lines(tmp_path / "ranks.log") == [f"{rank} staged" for rank in range(WORLD)]


def test_restarted_ranks_do_not_prepare_again(tmp_path: Path) -> None:
    convert(tmp_path, "python prepare.py\n" + RUN)
    ranks(tmp_path, 0)
    ranks(tmp_path, 0)
    assert lines(tmp_path / "prepared.log") == ["once"]
    ranks(tmp_path, 0, run="b")
    assert lines(tmp_path / "prepared.log") == ["once"] * 2


@pytest.mark.parametrize("errexit", [False, True])
def test_a_failure_is_what_the_script_made_of_it(tmp_path: Path, errexit: bool) -> None:
    body = ("set -e\n" if errexit else "") + "python prepare.py\n" + RUN
    convert(tmp_path, body, prepare=FAILS)
    statuses = ranks(tmp_path, 0)
    if errexit:
        assert all(statuses)
        assert not (tmp_path / "ranks.log").exists()
    else:
        assert statuses == [0] * NODE
        assert lines(tmp_path / "prepared.log") == ["once"]


def test_the_first_rank_alone_reports(tmp_path: Path) -> None:
    convert(tmp_path, "python prepare.py\n" + RUN + "python report.py\n")
    ranks(tmp_path, 0)
    ranks(tmp_path, 1)
    assert lines(tmp_path / "report.log") == ["reported"]


def test_a_run_of_one_process_does_all(tmp_path: Path) -> None:
    """flyte run --local"""
    convert(tmp_path, "python prepare.py\n" + RUN + "python report.py\n")
    code = (
        "import asyncio, flyte, job_flyte as m; flyte.init(); asyncio.run(m.job.func())"
    )
    variables = {k: v for k, v in os.environ.items() if k not in ("RANK", "LOCAL_RANK")}
    (tmp_path / "train.py").write_text("")
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=variables, check=True
        )
    assert lines(tmp_path / "prepared.log") == ["once"] * 2
    assert lines(tmp_path / "report.log") == ["reported"] * 2
