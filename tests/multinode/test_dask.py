"""The Dask cluster of a job, in the serialized task, and the scheduler's file that the task writes."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "judge"))
import check_output

SCRIPT = """\
#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=2
#SBATCH --mem=64G
dask-scheduler --scheduler-file s.json &
srun dask-worker --scheduler-file s.json --nthreads 2 &
sleep 5
python run.py --cluster s.json
"""
PROGRAM = "import sys\nprint(open(sys.argv[2]).read())\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "job.sh").write_text(SCRIPT)
    (tmp_path / "run.py").write_text(PROGRAM)
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run([binary, "convert", "-q", "job.sh"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return check_output.load(tmp_path / "job_flyte.py")


def test_serialized(module: Any, tmp_path: Path) -> None:
    (task,) = module.job_env.tasks.values()
    spec = asyncio.run(check_output.serialized(task, tmp_path / "job_flyte.py"))
    assert spec.task_template.type == "dask"
    workers = spec.task_template.custom["workers"]
    assert workers["numberOfWorkers"] == 8
    asked = {
        each["name"]: each["value"]
        for each in (dict(item) for item in workers["resources"]["requests"])
    }
    assert asked == {"CPU": "2", "MEMORY": "16Gi"}
    assert dict(spec.task_template.custom["scheduler"])["resources"]
    runner = spec.task_template.container.resources
    cpu = runner.ResourceName.Value("CPU")
    assert [each.value for each in runner.requests if each.name == cpu] == ["8"]


def test_file_of_the_scheduler(
    module: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://scheduler:8786")
    (task,) = module.job_env.tasks.values()
    asyncio.run(task.func())
    assert json.loads(capfd.readouterr().out) == {"address": "tcp://scheduler:8786"}
    assert (tmp_path / "s.json").exists()


HEADER = (
    "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --mem=64G\n"
)
BY_MPI = (
    "srun dask-mpi --scheduler-file s.json --nthreads 2 &\nsleep 5\npython run.py\n"
)
BY_HAND = "dask-scheduler --scheduler-file s.json &\nsrun dask-worker --scheduler-file s.json &\npython run.py\n"
FILE = "from dask.distributed import Client\nclient = Client(scheduler_file={})\n"


@pytest.mark.parametrize(
    ("body", "program", "workers"),
    [
        (BY_MPI, FILE.format('"s.json"'), 7),
        (BY_MPI.replace("srun", "srun --mpi=pmix"), FILE.format('"s.json"'), 7),
        (BY_MPI, "from dask.distributed import Client\nclient = Client()\n", 7),
        (BY_HAND, FILE.format("'s.json'"), 8),
        (BY_HAND, FILE.format('"other.json"'), None),
        (BY_MPI.replace("srun", "srun -n 1"), FILE.format('"s.json"'), None),
        (BY_MPI.replace(" &", ""), FILE.format('"s.json"'), None),
    ],
)
def test_how_the_program_finds_it(
    body: str, program: str, workers: int | None, tmp_path: Path
) -> None:
    """Of dask-mpi the first rank is the scheduler."""
    (tmp_path / "job.sh").write_text(HEADER + body)
    (tmp_path / "run.py").write_text(program)
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run([binary, "convert", "-q", "job.sh"], cwd=tmp_path, check=False)
    module = (tmp_path / "job_flyte.py").read_text()
    if workers is None:
        assert "SlurmScriptTask(" in module
    else:
        assert f"number_of_workers={workers}," in module
        assert "dask-mpi" not in module.split('"""')[2]
        assert ("DASK_SCHEDULER_ADDRESS" in module) == ("scheduler-file" in body)
