"""A job that stays on Slurm finds the arguments and variables that its sbatch gave it.

The scripts are what flyteplugins-slurm renders, with the environment that its connector would
export, run by Bash in place of the cluster; what sbatch would have given is the same script
started with those words and variables.
"""

import asyncio
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flyteplugins.slurm import SlurmScriptTask
from flyteplugins.slurm.script import render_script_job

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
HEAD = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=2\n"
# `srun` shows what the ranks would be started with.
JOB = 'srun --mpi=pmix ./solver "$@" TAG=$TAG\n'

DRIVERS = {
    "constants": (JOB, "TAG=x sbatch mpi.sh input.nc 12\n"),
    "blanks_and_quotes": (
        JOB,
        """export TAG=y\nsbatch mpi.sh "two words" "it's" '$HOME' 'a"b' '*' ''\n""",
    ),
    "loop": (
        JOB,
        'export TAG=z\nfor n in 1 2; do\n  sbatch mpi.sh "in $n.nc" $n\ndone\n',
    ),
    "after_another": (
        JOB,
        """export TAG=z
id=$(sbatch --parsable mpi.sh one)
sbatch --dependency=afterok:$id mpi.sh two
""",
    ),
    "export_option": (JOB, "sbatch --export=ALL,TAG=v mpi.sh a\n"),
    "numbered": (
        'srun --mpi=pmix ./solver "$2" "$1" ${3:-last}\n',
        "sbatch mpi.sh a 'b c'\n",
    ),
    "own_defaults": (
        'MODE="${MODE}"\nsrun --mpi=pmix ./s ${SIZE:-small} "$MODE" TAG=$TAG\n',
        "export TAG=t\nSIZE=big MODE=m sbatch mpi.sh\nsbatch mpi.sh\n",
    ),
    "none": ("srun --mpi=pmix ./solver\n", "sbatch mpi.sh\n"),
}


class Ran:
    """Stands for the cluster: runs what the connector would submit."""

    def __init__(self, folder: Path) -> None:
        """Begin with nothing started."""
        self.folder = folder
        self.started: list[str] = []

    async def __call__(self, task: SlurmScriptTask, **_: Any) -> None:
        text = render_script_job(
            job_name="job",
            stdout_path="out",
            stderr_path="err",
            script=task.script,
            env=task.plugin_config.env,
            sbatch_fields={},
        )
        bare = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": "/"}
        export = task.plugin_config.sbatch_options.get("export", "ALL").split(",")
        bare |= {
            each.split("=")[0]: each.split("=")[1] for each in export if "=" in each
        }
        done = await asyncio.to_thread(
            subprocess.run,
            ["/bin/bash", "-s"],
            input=text,
            env=bare,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        self.started.append(done.stdout)


def srun(folder: Path) -> None:
    (folder / "bin").mkdir()
    tool = folder / "bin" / "srun"
    tool.write_text('#!/bin/bash\nprintf "<%s>" "$@"\necho\n')
    tool.chmod(0o755)


def module_of(folder: Path, script: str) -> Any:
    made = folder / f"{Path(script).stem}_flyte.py"
    (folder / "slurm2flyte.toml").write_text(f'[slurm]\nsubmit_dir = "{folder}"\n')
    subprocess.run(
        [BINARY, "convert", "-q", script, "-o", made], cwd=folder, check=True
    )
    spec = importlib.util.spec_from_file_location(made.stem, made)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[made.stem] = module
    spec.loader.exec_module(module)
    return module


def as_slurm_has_it(folder: Path, driver: str) -> list[str]:
    """Start the job script at once where the driver calls sbatch."""
    sbatch = folder / "bin" / "sbatch"
    sbatch.write_text(
        "#!/bin/bash\nwhile [[ $1 == -* ]]; do\n"
        "  [[ $1 == --export=* ]] && export ${1##*,}\n  shift\ndone\n"
        'bash "$@" >> started.txt\necho 7\n'
    )
    sbatch.chmod(0o755)
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    subprocess.run(
        ["/bin/bash", driver], cwd=folder, env={**os.environ, "PATH": path}, check=True
    )
    return (folder / "started.txt").read_text().splitlines(keepends=True)


@pytest.mark.parametrize("case", DRIVERS)
def test_driver(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body, driver = DRIVERS[case]
    srun(tmp_path)
    (tmp_path / "mpi.sh").write_text(HEAD + body)
    (tmp_path / "drv.sh").write_text("#!/bin/bash\n" + driver)
    ran = Ran(tmp_path)
    monkeypatch.setattr(
        SlurmScriptTask, "__call__", lambda task, **given: ran(task, **given)
    )
    module = module_of(tmp_path, "drv.sh")
    asyncio.run(module.main.func())
    assert sorted(ran.started) == sorted(as_slurm_has_it(tmp_path, "drv.sh"))


def alone(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Ran]:
    srun(folder)
    (folder / "mpi.sh").write_text(HEAD + body)
    ran = Ran(folder)
    monkeypatch.setattr(
        SlurmScriptTask, "__call__", lambda task, **given: ran(task, **given)
    )
    return module_of(folder, "mpi.sh").mpi, ran


def test_alone_stops_until_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, ran = alone(tmp_path, 'srun --mpi=pmix ./s "$1"\n', monkeypatch)
    with pytest.raises(RuntimeError, match="SUBMIT_ARGUMENTS"):
        asyncio.run(task())
    task.plugin_config.env["SUBMIT_ARGUMENTS"] = "'two words' 3"
    asyncio.run(task())
    assert ran.started == ["<--mpi=pmix><./s><two words>\n"]


def test_alone_stops_without_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, ran = alone(tmp_path, "srun --mpi=pmix ./s $TAG\n", monkeypatch)
    with pytest.raises(RuntimeError, match="TAG"):
        asyncio.run(task())
    task.plugin_config.env["TAG"] = "x"
    asyncio.run(task())
    assert ran.started == ["<--mpi=pmix><./s><x>\n"]


def test_alone_leaves_to_the_cluster_what_a_module_may_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = 'module load hdf5\nsrun --mpi=pmix ./s "$H5" "$1"\n'
    task, ran = alone(tmp_path, body, monkeypatch)
    assert set(task.plugin_config.env) == {"SUBMIT_DIR", "SUBMIT_ARGUMENTS"}
    task.plugin_config.env["SUBMIT_ARGUMENTS"] = "x"
    asyncio.run(task())
    assert ran.started == ["<--mpi=pmix><./s><><x>\n"]


@pytest.mark.parametrize(
    "body", ['srun --mpi=pmix ./s "$@"\n', "srun --mpi=pmix ./s ${1:-}\n"]
)
def test_alone_runs_without_what_may_be_absent(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, ran = alone(tmp_path, body, monkeypatch)
    asyncio.run(task())
    assert ran.started == ["<--mpi=pmix><./s>\n"]


def test_what_the_connector_submits_has_them(tmp_path: Path) -> None:
    """The environment of a copy reaches the serialized task, the original's stays."""
    (tmp_path / "mpi.sh").write_text(HEAD + JOB)
    (tmp_path / "drv.sh").write_text("#!/bin/bash\nTAG=x sbatch mpi.sh a b\n")
    module = module_of(tmp_path, "drv.sh")
    changed = module.given(module.mpi, SUBMIT_ARGUMENTS="a b", TAG="x")
    from flyte._internal.runtime.task_serde import translate_task_to_wire
    from flyte.models import SerializationContext

    context = SerializationContext(version="v", project="p", domain="d", org="o")

    def env_of(task: SlurmScriptTask) -> dict[str, str]:
        custom = translate_task_to_wire(task, context).task_template.custom
        return dict(custom["env"])

    assert env_of(changed) == {
        "SUBMIT_DIR": str(tmp_path),
        "SUBMIT_ARGUMENTS": "a b",
        "TAG": "x",
    }
    assert env_of(module.mpi) == {"SUBMIT_DIR": str(tmp_path)}
