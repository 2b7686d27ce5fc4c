"""What `.override` gives a task is what an environment of its own would: the whole of it."""

import asyncio
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flyte._internal.runtime.task_serde import translate_task_to_wire
from flyte._task import TaskTemplate
from flyte.models import CodeBundle, SerializationContext

HERE = Path(__file__).parent
BINARY = os.environ.get(
    "S2F_BINARY", str(HERE.parents[1] / "build" / "dev" / "slurm2flyte")
)
JOB = """\
#!/bin/bash
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --gres=gpu:a100:2
#SBATCH --time=60
#SBATCH --partition=gpu
true "$1"
"""
OPTIONS = [
    "--mem=64G",
    "--cpus-per-task=8",
    "--gres=gpu:a100:4",
    "--gres=gpu:a100:1 --mem=2G -c 1 --tmp=10G",
    "--time=2:00:00",
    "-p big",
    "--time=30 --mem=16G --partition=cpu",
]


def module_of(folder: Path, driver: str) -> Any:
    folder.mkdir()
    (folder / "job.sh").write_text(JOB)
    (folder / "submit.sh").write_text("#!/bin/bash\n" + driver)
    subprocess.run([BINARY, "convert", "-q", "submit.sh"], cwd=folder, check=False)
    path = folder / "submit_flyte.py"
    spec = importlib.util.spec_from_file_location(f"overrides_{len(sys.modules)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def serialized(task: TaskTemplate[Any, Any, Any], folder: Path) -> dict[str, Any]:
    bundle = CodeBundle(tgz="s3://bundle/code.tar.gz", computed_version="v1")
    context = SerializationContext(
        "p", "d", "o", "v1", root_dir=folder, code_bundle=bundle
    )
    template = translate_task_to_wire(task, context).task_template
    return {
        "resources": template.container.resources.SerializeToString(),
        "extended": template.extended_resources.SerializeToString(),
        "timeout": template.metadata.timeout.ToTimedelta(),
        "retries": template.metadata.retries.retries,
        "queue": task.queue,
    }


async def called(
    main: Any, monkeypatch: pytest.MonkeyPatch
) -> list[TaskTemplate[Any, Any, Any]]:
    """The tasks that `main` calls, as it calls them."""
    tasks = []

    async def note(self: TaskTemplate[Any, Any, Any], *_: Any, **__: Any) -> None:
        tasks.append(self)

    monkeypatch.setattr(TaskTemplate, "__call__", note)
    await main.func()
    return tasks


@pytest.mark.parametrize("options", OPTIONS)
def test_override_is_whole(
    options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    both = module_of(
        tmp_path / "both",
        f"a=$(sbatch --parsable job.sh 1)\nsbatch -d afterok:$a {options} job.sh 2\n",
    )
    alone = module_of(tmp_path / "alone", f"sbatch {options} job.sh 2\n")
    plain, overridden = asyncio.run(called(both.main, monkeypatch))
    assert plain is both.job
    assert overridden is not both.job
    assert overridden.name == both.job.name
    assert not hasattr(both, "job_2_env")
    mine = serialized(overridden, tmp_path / "both")
    assert mine == serialized(alone.job, tmp_path / "alone")
    assert mine != serialized(both.job, tmp_path / "both")


@pytest.mark.parametrize(
    "script",
    [
        # What the body is given differs, so an override says too little.
        'srun true "$SLURM_CPUS_PER_TASK"\n',
        # The script's own retries have to go, which no override does.
        "true\n",
    ],
)
def test_more_than_an_override(script: str, tmp_path: Path) -> None:
    options = "-c 8" if "CPUS" in script else "--no-requeue"
    header = "#!/bin/bash\n#SBATCH -c 2\n#SBATCH --requeue\n"
    (tmp_path / "job.sh").write_text(header + script)
    (tmp_path / "submit.sh").write_text(
        f"#!/bin/bash\nsbatch job.sh\nsbatch {options} job.sh\n"
    )
    subprocess.run([BINARY, "convert", "-q", "submit.sh"], cwd=tmp_path, check=False)
    module = (tmp_path / "submit_flyte.py").read_text()
    assert ".override(" not in module
    assert "job_2_env = flyte.TaskEnvironment(" in module
