"""A job that ended out of memory or time runs again with more, and no other failure does."""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import flyte.errors
import pytest
from flyte._internal.runtime.task_serde import translate_task_to_wire
from flyte._task import TaskTemplate
from flyte.models import CodeBundle, SerializationContext

import flyte

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)
JOB = """\
#!/bin/bash
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=60
echo "$1"
"""
STATE = "state=$(sacct -j $id -X -n -o State | head -n 1 | tr -d ' ')\n"
FORMS = {
    "wait": "id=$(sbatch --parsable --wait a.sh x)\n"
    + STATE
    + 'if [[ "$state" == OUT_OF_ME* ]]; then\n  sbatch --mem=64G a.sh x\nfi\n',
    "poll": "id=$(sbatch --parsable a.sh x)\n"
    "while squeue -h -j $id | grep -q $id; do sleep 5; done\n"
    + STATE
    + 'if [ "$state" = "OUT_OF_MEMORY" ]; then\n  echo again\n  id=$(sbatch --parsable --mem=64G a.sh x)\nfi\n'
    "sbatch --dependency=afterok:$id b.sh\n",
    "grep": "id=$(sbatch --parsable --wait a.sh x)\n"
    "if sacct -j $id -o State | grep -q OUT_OF_MEMORY; then sbatch --mem=64G a.sh x; fi\n",
    "case": "id=$(sbatch --parsable --wait a.sh x)\n"
    + STATE
    + 'case "$state" in\n  OUT_OF_ME*) sbatch --mem=64G a.sh x ;;\n'
    "  TIMEOUT) sbatch --time=240 a.sh x ;;\n  *) echo fine ;;\nesac\n",
    "elif": "id=$(sbatch --parsable --wait a.sh x)\n"
    + STATE
    + "if [[ $state =~ TIMEOUT ]]; then\n  sbatch --time=240 a.sh x\n"
    "elif [[ $state =~ OUT_OF_MEMORY ]]; then\n  sbatch --mem=64G a.sh x\nelse\n  echo done\nfi\n",
}


def module_of(folder: Path, driver: str) -> Any:
    (folder / "a.sh").write_text(JOB)
    (folder / "b.sh").write_text("#!/bin/bash\necho end\n")
    (folder / "submit.sh").write_text("#!/bin/bash\n" + driver)
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=folder,
        check=False,
    )
    one = json.loads((folder / "review.json").read_text())["inputs"][0]
    assert one["body"] == "lifted", one["findings"]
    assert "S2F346" in {finding["rule"] for finding in one["findings"]}
    path = folder / "submit_flyte.py"
    spec = importlib.util.spec_from_file_location(f"recover_{len(sys.modules)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def memory(task: TaskTemplate[Any, Any, Any], folder: Path) -> tuple[str, float]:
    bundle = CodeBundle(tgz="s3://bundle/code.tar.gz", computed_version="v1")
    context = SerializationContext(
        "p", "d", "o", "v1", root_dir=folder, code_bundle=bundle
    )
    template = translate_task_to_wire(task, context).task_template
    requests = {each.name: each.value for each in template.container.resources.requests}
    assert requests[1] == "4"  # the CPUs stay
    limit = template.metadata.timeout.ToTimedelta()
    return requests[3], limit.total_seconds() / 60


async def ran(
    module: Any, monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> list[TaskTemplate[Any, Any, Any]]:
    """The job's tasks as they are called, of which the first ends with the error."""
    calls: list[TaskTemplate[Any, Any, Any]] = []

    async def call(self: TaskTemplate[Any, Any, Any], *args: Any, **given: Any) -> None:
        if self.name.startswith("submit."):  # of main's own environment
            await self.func(*args, **given)
            return
        if self.name == module.a.name:
            calls.append(self)
            if error is not None and len(calls) == 1:
                raise error
        elif error is None:
            calls.append(self)

    monkeypatch.setattr(TaskTemplate, "__call__", call)
    await module.main.func()
    return calls


@pytest.mark.parametrize("form", FORMS)
def test_out_of_memory(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = module_of(tmp_path, FORMS[form])
    error = flyte.errors.OOMError("OOMError", "out of memory", "user")
    first, second = asyncio.run(ran(module, monkeypatch, error))
    assert memory(first, tmp_path) == ("8Gi", 60)
    assert memory(second, tmp_path) == ("64Gi", 60)


@pytest.mark.parametrize("form", ["case", "elif"])
def test_out_of_time(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = module_of(tmp_path, FORMS[form])
    error = flyte.errors.MaxRuntimeExceededError("too long")
    first, second = asyncio.run(ran(module, monkeypatch, error))
    assert memory(first, tmp_path) == ("8Gi", 60)
    assert memory(second, tmp_path) == ("8Gi", 240)


@pytest.mark.parametrize("form", FORMS)
def test_another_failure_is_one(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = module_of(tmp_path, FORMS[form])
    error = flyte.errors.RuntimeUserError("CalledProcessError", "exit 1", "user")
    with pytest.raises(RuntimeError):
        asyncio.run(ran(module, monkeypatch, error))


@pytest.mark.parametrize("form", FORMS)
def test_nothing_runs_twice(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = module_of(tmp_path, FORMS[form])
    calls = asyncio.run(ran(module, monkeypatch, None))
    assert [each.short_name for each in calls].count("a") == 1


def test_a_local_run_goes_through(tmp_path: Path) -> None:
    module_of(tmp_path, FORMS["poll"])
    done = subprocess.run(
        [
            Path(sys.executable).with_name("flyte"),
            "run",
            "--local",
            "submit_flyte.py",
            "main",
        ],
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
