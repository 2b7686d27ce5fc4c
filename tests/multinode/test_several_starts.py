"""Ranks that a script starts several times, one after the other: what runs and how it ends, by Bash and by `main`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = """#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
"""
ONE = HEADER.replace("ntasks-per-node=4", "ntasks-per-node=1")
FIRST = (
    'export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'
)
TORCHRUN = "srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_endpoint=$MASTER_ADDR:29500 train.py"
# Ends with the status that its last argument has for it.
TRAIN = """\
import os
import sys
import torch
with open(os.environ["STARTED"], "a") as log:
    log.write(repr(sys.argv[1:]) + "\\n")
raise SystemExit(3 if "bad" in sys.argv else 0)
"""
WRITES = "import torch\nopen('model.txt', 'w').write('a')\n"
# One rank of the step, as far as the order and the statuses go.
SRUN = """\
#!/bin/bash
[ "$1" = torchrun ] || exec "$@"
while [[ $1 != *.py ]]; do shift; done
exec python "$@"
"""


def convert(folder: Path, script: str, files: dict[str, str]) -> dict[str, Any]:
    (folder / "job.sh").write_text(script)
    for name, text in {"train.py": TRAIN, **files}.items():
        (folder / name).write_text(text)
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", "--force", "job.sh", "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    (review,) = json.loads((folder / "review.json").read_text())["inputs"]
    return dict(review)


def by_bash(folder: Path) -> tuple[list[str], bool]:
    """The starts, and whether the job fails."""
    tools = folder / "tools"
    tools.mkdir()
    modules = folder / "modules"
    modules.mkdir()
    (modules / "torch.py").write_text("")
    for name, text in {
        "srun": SRUN,
        "scontrol": "#!/bin/sh\necho node0\n",
        "python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    }.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    log = folder / "started.log"
    log.unlink(missing_ok=True)
    done = subprocess.run(
        ["bash", "job.sh"],
        cwd=folder,
        capture_output=True,
        env={
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(modules),
            "STARTED": str(log),
        },
        check=False,
    )
    return log.read_text().splitlines() if log.exists() else [], done.returncode != 0


def by_flyte(folder: Path) -> tuple[list[str], bool]:
    log = folder / "started.log"
    log.unlink(missing_ok=True)
    code = "import asyncio, flyte, job_flyte as m; flyte.init(); asyncio.run(m.main.func())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        env={
            **os.environ,
            "PYTHONPATH": str(folder / "modules"),
            "STARTED": str(log),
        },
        check=False,
    )
    return log.read_text().splitlines() if log.exists() else [], done.returncode != 0


STARTS = {
    "two": "srun python train.py --fold 0\nsrun python train.py --fold 1",
    "the_first_fails": "srun python train.py --fold bad\nsrun python train.py --fold 1",
    "the_last_fails": "srun python train.py --fold 0\nsrun python train.py --fold bad",
    "all_fail": "srun python train.py --fold bad\nsrun python train.py --fold bad",
    "the_same": "srun python train.py\nsrun python train.py\nsrun python train.py",
    "several_words": "srun python train.py --fold 0 out/a\nsrun python train.py --fold 1 out/b",
    "spaces": "srun python train.py --note 'a b'\nsrun python train.py --note ''\nsrun python train.py --note \"it's *\"",
    "equals": "srun python train.py --lr=0.1\nsrun python train.py --lr=bad\nsrun python train.py --lr=0.3",
    "something_said": "srun python train.py --fold 0\necho zero\nsrun python train.py --fold 1",
    "and": "srun python train.py --fold bad && srun python train.py --fold 1",
    "and_then": "srun python train.py --fold 0 && srun python train.py --fold 1",
    "or_exit": "srun python train.py --fold bad || exit 1\nsrun python train.py --fold 1",
    "or_exit_of_none": "srun python train.py --fold 0 || exit 1\nsrun python train.py --fold 1",
    "loop": "for fold in 0 1 2; do\n  srun python train.py --fold $fold\ndone",
    "loop_where_one_fails": "for fold in 0 bad 2; do\n  srun python train.py --fold $fold\ndone",
    "loop_where_the_last_fails": "for fold in 0 1 bad; do\n  srun python train.py --fold $fold\ndone",
    "loop_of_numbers": "for fold in {0..3}; do\n  echo $fold\n  srun python train.py --fold $fold\ndone",
    "loop_of_seq": "N=2\nfor fold in $(seq 0 $N); do\n  srun python train.py --fold $fold\ndone",
    "loop_of_an_array": 'RATES=(0.1 bad \'0 3\')\nfor lr in "${RATES[@]}"; do\n  srun python train.py --lr "$lr" --out "out/$lr"\ndone',
}


@pytest.mark.parametrize("errexit", ["", "set -e\n"])
@pytest.mark.parametrize("name", STARTS)
def test_as_bash_does(name: str, errexit: str, tmp_path: Path) -> None:
    review = convert(tmp_path, HEADER + errexit + FIRST + STARTS[name] + "\n", {})
    assert review["entry"] == "main", review["findings"]
    assert "S2F716" in {finding["rule"] for finding in review["findings"]}
    module = (tmp_path / "job_flyte.py").read_text()
    assert module.count("ClusteredTaskEnvironment(") == 1
    assert "replicas=2" in module
    assert "nproc_per_node=4" in module
    assert by_bash(tmp_path) == by_flyte(tmp_path)


@pytest.mark.parametrize("name", ["two", "loop_where_one_fails"])
def test_torchrun(name: str, tmp_path: Path) -> None:
    body = STARTS[name].replace("srun python train.py", TORCHRUN)
    review = convert(tmp_path, ONE + FIRST + body + "\n", {})
    assert review["entry"] == "main", review["findings"]
    assert by_bash(tmp_path) == by_flyte(tmp_path)


STAYS = {
    "programs": (
        "srun python train.py --fold 0\nsrun python other.py --fold 0",
        "they run different programs",
    ),
    "geometry": (
        "srun python train.py --fold 0\nsrun --ntasks-per-node=2 python train.py --fold 1",
        "not all have the same geometry",
    ),
    "arguments": (
        "srun python train.py --fold 0\nsrun python train.py --fold 1 --last",
        "they have different arguments",
    ),
    "between": (
        "srun python train.py --fold 0\npython other.py\nsrun python train.py --fold 1",
        "the script does more between them",
    ),
    "behind": (
        "srun python train.py --fold 0\nsrun python train.py --fold 1\npython other.py",
        "the script does more behind them",
    ),
    "background": (
        "srun python train.py --fold 0 &\nsrun python train.py --fold 1 &\nwait",
        "one stands within another command",
    ),
    "choice": (
        "if [ -f a ]; then srun python train.py --fold 0; else srun python train.py --fold 1; fi",
        "one stands within another command",
    ),
    "loop": (
        "for fold in 0 1; do\n  python other.py\n  srun python train.py --fold $fold\ndone",
        "the loop does more",
    ),
    "loop_of_unknown": (
        "for fold in $(cat folds); do\n  srun python train.py --fold $fold\ndone",
        "what the loop goes over is known only when the job runs",
    ),
    "loop_of_split_words": (
        "for lr in 0.1 '0 3'; do\n  srun python train.py --lr $lr\ndone",
        "the shell splits a value of the loop into words",
    ),
    "loop_of_programs": (
        "for program in train other; do\n  srun python $program.py\ndone",
        "each is started in another way",
    ),
    "files": (
        "srun python writes.py --fold 0\nsrun python writes.py --fold 1",
        "the task of each hands files over",
    ),
    "array": (
        "#SBATCH --array=0-3\nsrun python train.py --fold 0\nsrun python train.py --fold 1",
        "each element of the array does",
    ),
}


@pytest.mark.parametrize("name", STAYS)
def test_it_stays_and_says_why(name: str, tmp_path: Path) -> None:
    body, why = STAYS[name]
    header, first = HEADER, FIRST
    if body.startswith("#SBATCH"):
        line, body = body.split("\n", 1)
        header += line + "\n"
    review = convert(
        tmp_path, header + first + body + "\n", {"other.py": TRAIN, "writes.py": WRITES}
    )
    assert review["verdict"] == "keep_on_slurm"
    (reason,) = [
        finding
        for finding in review["findings"]
        if finding["message"].startswith("The job stays on Slurm")
    ]
    assert reason["rule"] == "S2F708"
    assert why in reason["message"]
    assert "2 nodes with 4 processes each" in reason["message"]


def test_a_driver_keeps_it_on_slurm(tmp_path: Path) -> None:
    (tmp_path / "submit.sh").write_text(
        "#!/bin/bash\nA=$(sbatch --parsable job.sh)\nsbatch --dependency=afterok:$A job.sh\n"
    )
    convert(tmp_path, HEADER + FIRST + STARTS["two"] + "\n", {})
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", "--force", "submit.sh", "--report", "review.json"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    says = (tmp_path / "review.json").read_text()
    assert "a driver submits the job" in says
