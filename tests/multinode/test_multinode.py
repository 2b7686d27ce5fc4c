"""Launches on several nodes: the geometry of the serialized task, and what each rank sees."""

import asyncio
import inspect
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ask_slurm import ANSWERS, answers, stage
from launches import Launch, launches
from slurm_cluster import missing

import flyte

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "judge"))
import check_output

TOLD: dict[str, list[str]] = json.loads(ANSWERS.read_text())
SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))
SEED = os.environ.get("S2F_SEED", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before, modules = Path.cwd(), set(sys.modules)
    yield tmp_path
    os.chdir(before)
    for name in set(sys.modules) - modules:
        if (getattr(sys.modules[name], "__file__", "") or "").startswith(str(tmp_path)):
            del sys.modules[name]


def convert(launch: Launch, folder: Path) -> tuple[Any, list[dict[str, Any]]]:
    """The module, loaded, and the findings."""
    script = stage(launch, folder)
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", script.name, "--report", "review.json", "--force"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    findings = json.loads((folder / "review.json").read_text())["inputs"][0]["findings"]
    os.chdir(folder)
    return check_output.load(folder / "job_flyte.py"), findings


def environment(module: Any) -> Any:
    found = [value for name, value in vars(module).items() if name.endswith("_env")]
    clustered = [
        each for each in found if type(each).__name__ == "ClusteredTaskEnvironment"
    ]
    return (clustered or found)[0]


@pytest.mark.parametrize(
    "launch",
    [each for each in launches() if not each.stays],
    ids=lambda each: each.name,
)
def test_geometry(launch: Launch, folder: Path) -> None:
    module, findings = convert(launch, folder)
    env = environment(module)
    assert type(env).__name__ == "ClusteredTaskEnvironment", [
        each["message"] for each in findings if each["rule"].startswith("S2F7")
    ]
    (task,) = env.tasks.values()
    spec = asyncio.run(check_output.serialized(task, folder / "job_flyte.py"))
    custom = spec.task_template.custom
    assert custom["replicas"] == launch.nodes
    assert custom["nprocPerNode"] == launch.processes
    runtime = str(custom)
    assert ("C10D" in runtime) == (launch.backend == "C10D")
    assert (type(env.runtime).__name__ == "JaxRun") == (launch.runtime == "jax")
    assert ("maxRestarts" in runtime) == (launch.restarts > 0)
    assert ("restartOnHostMaintenance" in runtime) == launch.maintenance
    asked = {
        entry.name: entry.value
        for entry in spec.task_template.container.resources.requests
    }
    gpu = spec.task_template.container.resources.ResourceName.Value("GPU")
    assert asked.get(gpu) == (str(launch.gpus) if launch.gpus else None)
    assert set(launch.says) <= {each["rule"] for each in findings}
    assert any(
        f"{launch.nodes * launch.processes} rank" in each["message"]
        for each in findings
        if each["rule"] == "S2F703"
    )


@pytest.mark.parametrize(
    "launch", [each for each in launches() if each.stays], ids=lambda each: each.name
)
def test_stays(launch: Launch, folder: Path) -> None:
    _, findings = convert(launch, folder)
    text = (folder / "job_flyte.py").read_text()
    assert "SlurmScriptTask(" in text
    assert "ClusteredTaskEnvironment(" not in text
    assert launch.stays in {each["rule"] for each in findings}


@pytest.mark.parametrize(
    "launch",
    [each for each in launches() if not each.stays],
    ids=lambda each: each.name,
)
def test_ranks(
    launch: Launch,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The task, once a rank with torchrun's variables, against what real srun gave the ranks."""
    module, _ = convert(launch, folder)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    flyte.init()  # for files that rank 0 hands over
    (task,) = environment(module).tasks.values()
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    # `python`, as the scripts call it, is that of the image.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    world = launch.nodes * launch.processes
    lines: list[str] = []
    # Where nobody asked Slurm, the first and the last rank will do.
    for rank in range(world) if launch.asked else (0, world - 1):
        given = {
            "RANK": rank,
            "LOCAL_RANK": rank % launch.processes,
            "GROUP_RANK": rank // launch.processes,
            "NODE_RANK": rank // launch.processes,
            "WORLD_SIZE": world,
            "LOCAL_WORLD_SIZE": launch.processes,
            "MASTER_ADDR": "replica-0",
            "MASTER_PORT": 29500,
            "TORCHELASTIC_RUN_ID": folder.name,
        }
        for name, value in given.items():
            monkeypatch.setenv(name, str(value))
        parameters = inspect.signature(task.func).parameters
        asyncio.run(task.func(**({"index": 0} if "index" in parameters else {})))
        seen = capfd.readouterr().out.splitlines()
        lines += [line for line in seen if line.startswith("{")]
    if launch.asked:
        assert sorted(lines) == TOLD[launch.name]
    if launch.devices:
        seen_devices = [json.loads(line)["CUDA_VISIBLE_DEVICES"] for line in lines]
        assert seen_devices == list(launch.devices)
    seen_args = [json.loads(line)["args"] for line in lines]
    if launch.local_rank:
        locals_ = [args.pop(0) for args in seen_args]
        assert locals_ == [
            f"{launch.local_rank}=0",
            f"{launch.local_rank}={launch.processes - 1}",
        ]
    assert all(args == list(launch.args) for args in seen_args)
    assert len(lines) == (world if launch.asked else 2)


def test_slurm_still_answers_so() -> None:
    """A tenth of the answers, chosen by S2F_SEED; all of them among the slow tests."""
    if absent := missing():
        pytest.skip(f"real Slurm is not installed: no {', '.join(absent)}")
    asked = [each for each in launches() if each.asked]
    some = random.Random(SEED).sample(asked, max(1, len(asked) // 10))
    wanted = asked if SLOW else some
    now = answers(wanted)
    differ = [each.name for each in wanted if now[each.name] != TOLD[each.name]]
    assert not differ, f"seed {SEED}: {[(name, now[name]) for name in differ]}"


def test_there_are_enough() -> None:
    names = [each.name for each in launches()]
    assert len(names) == len(set(names)) > 100
    assert set(TOLD) == {each.name for each in launches() if each.asked}
