"""What Flyte has for an array beyond a map: proposed by notes, done where the site file says so."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flyte._internal.runtime.task_serde import translate_task_to_wire
from flyte.models import CodeBundle, SerializationContext

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)


def script(elements: int, minutes: str, body: str) -> str:
    return (
        f"#!/bin/bash\n#SBATCH --array=0-{elements - 1}\n#SBATCH --time={minutes}\n"
        f"#SBATCH --mem=1G\n#SBATCH -c 2\n{body}\n"
    )


PLAIN = 'python3 shard.py "$SLURM_ARRAY_TASK_ID"'


def convert(folder: Path, text: str, site: str = "") -> set[str]:
    (folder / "job.sh").write_text(text)
    (folder / "shard.py").write_text("import sys\n\nprint(sys.argv[1])\n")
    if site:
        (folder / "slurm2flyte.toml").write_text(site)
    subprocess.run(
        [BINARY, "convert", "-q", "job.sh", "--report", "review.json"],
        cwd=folder,
        check=False,
    )
    one = json.loads((folder / "review.json").read_text())["inputs"][0]
    return {finding["rule"] for finding in one["findings"]}


def serialized(folder: Path) -> Any:
    path = folder / "job_flyte.py"
    spec = importlib.util.spec_from_file_location(f"notes_{len(sys.modules)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    bundle = CodeBundle(tgz="s3://bundle/code.tar.gz", computed_version="v1")
    context = SerializationContext(
        "p", "d", "o", "v1", root_dir=folder, code_bundle=bundle
    )
    return module, translate_task_to_wire(module.job, context).task_template


@pytest.mark.parametrize(
    ("elements", "minutes", "raised"),
    [
        (100, "10", True),
        (500, "3", True),
        (99, "3", False),
        (500, "11", False),
        (500, "2:00:00", False),
    ],
)
def test_short_elements(
    elements: int, minutes: str, raised: bool, tmp_path: Path
) -> None:
    rules = convert(tmp_path, script(elements, minutes, PLAIN))
    assert ("S2F344" in rules) == raised
    text = (tmp_path / "job_flyte.py").read_text()
    assert "ReusePolicy" not in text
    assert "cache=" not in text


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        (PLAIN, True),
        ('echo "$SLURM_ARRAY_TASK_ID"', True),
        ('cat "/project/lab/part_$SLURM_ARRAY_TASK_ID.txt"', False),
        ("date", False),
    ],
)
def test_declared_inputs(body: str, raised: bool, tmp_path: Path) -> None:
    assert ("S2F345" in convert(tmp_path, script(4, "30", body))) == raised


def test_the_site_wants_both(tmp_path: Path) -> None:
    site = "[arrays]\nreplicas = 10\ncache = true\n"
    rules = convert(tmp_path, script(200, "5", PLAIN), site)
    assert not rules & {"S2F344", "S2F345"}
    module, template = serialized(tmp_path)
    assert "unionai-reuse" in (tmp_path / "job_flyte.py").read_text()
    assert module.job_env.reusable.replicas == (10, 10)
    assert template.metadata.discoverable
    assert template.type == "actor"


def test_the_site_wants_neither(tmp_path: Path) -> None:
    site = "[arrays]\nreplicas = 0\ncache = false\n"
    rules = convert(tmp_path, script(200, "5", PLAIN), site)
    assert not rules & {"S2F344", "S2F345"}
    _, template = serialized(tmp_path)
    assert not template.metadata.discoverable
    assert template.type != "actor"


def test_each_element_has_the_whole_of_the_header(tmp_path: Path) -> None:
    text = script(8, "30", PLAIN).replace("#SBATCH -c 2", "#SBATCH -c 2 --requeue")
    convert(tmp_path, text.replace("0-7", "0-7%3"))
    _, template = serialized(tmp_path)
    asked = {each.name: each.value for each in template.container.resources.requests}
    assert asked == {1: "2", 3: "1Gi"}
    assert template.metadata.timeout.ToTimedelta().total_seconds() == 30 * 60
    assert template.metadata.retries.retries == 3
    assert "concurrency=3" in (tmp_path / "job_flyte.py").read_text()


def test_one_at_a_time_is_a_chain(tmp_path: Path) -> None:
    rules = convert(tmp_path, script(4, "30", PLAIN).replace("0-3", "0-3%1"))
    assert "S2F304" in rules
    assert "concurrency=1" in (tmp_path / "job_flyte.py").read_text()
