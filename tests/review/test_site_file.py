"""The site file as a user meets it: what it answers, where it is found, what is wrong in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import tomllib

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "rules").glob("S2F*.md"))
FENCE = re.compile(
    r"^```(?P<language>\w+) (?P<role>raises|quiet)[^\n]*\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
SCRIPT = """#!/bin/bash
#SBATCH --partition=gpu,debug
#SBATCH --account=lab1
#SBATCH --constraint=v100&ib
#SBATCH --gres=gpu:2
#SBATCH --mem=8G
#SBATCH --mail-type=FAIL
#SBATCH --mail-user=me@example.org
#SBATCH --requeue
module load gromacs/2024 foo
source ~/venvs/train/bin/activate
export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567
python train.py --data /data/x
"""
SITE = """[partitions.gpu]
queue = "gpu-large"
spot = true
[accounts."lab*"]
project = "vision"
[constraints.v100]
gpu = "V100"
[constraints.ib]
pod_template = "ib"
[modules."gromacs*"]
image = "ghcr.io/lab/gromacs:2024"
[modules.foo]
apt = ["foo-tools"]
[environments."~/venvs/*"]
packages = ["torch==2.5.1"]
[secrets]
WANDB_API_KEY = "wandb"
[paths."/data"]
as = "volume"
pod_template = "ib"
[requeue]
retries = 2
[mail]
notify = true
[timeout]
default = "24h"
max_queued = "2d"
"""


def run(
    *arguments: str, cwd: Path, status: int | None = 0
) -> subprocess.CompletedProcess[str]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    if status is not None:
        assert done.returncode == status, done.stdout + done.stderr
    return done


def review(
    script: Path, *arguments: str, cwd: Path, status: int | None = 0
) -> dict[str, object]:
    run(
        "convert",
        str(script),
        "--force",
        "-q",
        "--report",
        "review.json",
        *arguments,
        cwd=cwd,
        status=status,
    )
    return json.loads((cwd / "review.json").read_text())


def rules_of(report: dict[str, object]) -> set[str]:
    return {f["rule"] for script in report["inputs"] for f in script["findings"]}


def open_rules(report: dict[str, object]) -> set[str]:
    return {
        finding["rule"]
        for script in report["inputs"]
        for finding in script["findings"]
        if finding["severity"] == "decision" and "accepted" not in finding
    }


def test_answers_close_every_question(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    (tmp_path / "train.py").write_text("print(1)\n")
    before = open_rules(review(Path("train.sh"), cwd=tmp_path))
    asked = "S2F103 S2F211 S2F212 S2F220 S2F223 S2F501 S2F503 S2F601 S2F801"
    assert set(asked.split()) <= before
    (tmp_path / "slurm2flyte.toml").write_text(SITE)
    report = review(Path("train.sh"), cwd=tmp_path)
    assert open_rules(report) == set()
    assert report["inputs"][0]["verdict"] in ("ready", "ready_with_notes")
    whys = " ".join(item["why"] for item in report["inputs"][0]["items"])
    for line in (2, 5, 7, 9, 11, 15, 17, 22, 24):
        assert f"slurm2flyte.toml:{line}" in whys, line
    module = (tmp_path / "train_flyte.py").read_text()
    for text in (
        'queue="gpu-large"',
        "interruptible=True",
        'gpu="V100:2"',
        'pod_template="ib"',
        '"ghcr.io/lab/gromacs:2024"',
        '"foo-tools"',
        '"torch==2.5.1"',
        'flyte.Secret("wandb", as_env_var="WANDB_API_KEY")',
        "retries=2",
        "max_queued_time=timedelta(days=2)",
        "max_runtime=timedelta(days=1)",
        "image_python()",
    ):
        assert text in module, text
    assert "REVIEW" not in module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_keys_of_findings_are_keys_of_the_site_file(page: Path, tmp_path: Path) -> None:
    """Over the rules: what a finding says answers it is something that a site file may hold."""
    keys = [
        row["key"].split(".")
        for row in json.loads(run("config", "--keys", "--json", cwd=tmp_path).stdout)
    ]
    for block in FENCE.finditer(page.read_text()):
        if block["language"] == "toml":
            (tmp_path / "slurm2flyte.toml").write_text(block["text"])
            run("config", cwd=tmp_path)
            (tmp_path / "slurm2flyte.toml").unlink()
            continue
        (tmp_path / "job.sh").write_text(block["text"])
        report = review(Path("job.sh"), cwd=tmp_path, status=None)
        for finding in report["inputs"][0]["findings"]:
            if finding["config_key"] is None:
                continue
            parts: list[str] = []
            table: object = tomllib.loads(f"{finding['config_key']} = 1")
            while isinstance(table, dict):
                ((name, table),) = table.items()
                parts.append(name)
            assert any(
                len(known) >= len(parts)
                and all(k in ("*", p) for k, p in zip(known, parts, strict=False))
                for known in keys
            ), finding["config_key"]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "```toml quiet" in page.read_text()],
    ids=lambda page: page.stem,
)
def test_a_page_s_answer_answers(page: Path, tmp_path: Path) -> None:
    blocks = {
        (b["language"], b["role"]): b["text"] for b in FENCE.finditer(page.read_text())
    }
    (tmp_path / "job.sh").write_text(blocks["bash", "raises"])
    if page.stem == "S2F502":
        (tmp_path / "requirements.txt").write_text("numpy\n")
    assert page.stem in rules_of(review(Path("job.sh"), cwd=tmp_path, status=None))
    (tmp_path / "slurm2flyte.toml").write_text(blocks["toml", "quiet"])
    assert page.stem not in rules_of(review(Path("job.sh"), cwd=tmp_path))


def test_the_nearest_file_wins(tmp_path: Path) -> None:
    inner = tmp_path / "jobs" / "inner"
    inner.mkdir(parents=True)
    (inner / "a.sh").write_text("#!/bin/bash\n#SBATCH -p gpu\ntrue\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.slurm2flyte.partitions.gpu]\nqueue = "far"\n'
    )

    def queue(*arguments: str, cwd: Path = tmp_path) -> str:
        path = os.path.relpath(inner / "a.sh", cwd)
        text = run("convert", path, "-o", "-", *arguments, cwd=cwd).stdout
        return re.search(r'queue="([^"]*)"', text)[1]

    assert queue() == "far"
    assert queue(cwd=inner) == "far"
    (tmp_path / "jobs" / "slurm2flyte.toml").write_text(
        '[partitions.gpu]\nqueue = "near"\n'
    )
    assert queue() == "near"
    assert queue(cwd=inner) == "near"
    (tmp_path / "own.toml").write_text('[partitions."g*"]\nqueue = "own"\n')
    assert queue("--config", "own.toml") == "own"
    (inner / ".git").mkdir()
    assert queue() == "gpu"  # a repository's file holds for that repository alone


def test_mistakes_are_told_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("#!/bin/bash\n#SBATCH -p gpu\ntrue\n")
    (tmp_path / "slurm2flyte.toml").write_text('[partitions.gpu]\nquue = "x"\n')
    done = run("convert", "a.sh", cwd=tmp_path, status=2)
    assert (
        "slurm2flyte.toml:2:1: error: [partitions.gpu] has no key `quue`" in done.stderr
    )
    assert "did you mean queue?" in done.stderr
    assert '   2 | quue = "x"\n     | ^~~~\n' in done.stderr
    assert not (tmp_path / "a_flyte.py").exists()
    done = run("convert", "a.sh", "--config", "none.toml", cwd=tmp_path, status=2)
    assert "none.toml" in done.stderr


def test_clusters(tmp_path: Path) -> None:
    for name in ("juwels", "lumi"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.sh").write_text("#!/bin/bash\n#SBATCH -p gpu\ntrue\n")
    (tmp_path / "slurm2flyte.toml").write_text(
        '[partitions.gpu]\nqueue = "all"\n[cluster.juwels]\nmatch = ["juwels/**"]\n'
        'partitions.gpu.queue = "booster"\n'
    )
    assert (
        'queue="booster"'
        in run("convert", "juwels/a.sh", "-o", "-", cwd=tmp_path).stdout
    )
    assert 'queue="all"' in run("convert", "lumi/a.sh", "-o", "-", cwd=tmp_path).stdout
    chosen = run("convert", "lumi/a.sh", "-o", "-", "--cluster", "juwels", cwd=tmp_path)
    assert 'queue="booster"' in chosen.stdout
    done = run("convert", "lumi/a.sh", "--cluster", "juwel", cwd=tmp_path, status=2)
    assert "did you mean juwels?" in done.stderr


def test_a_cluster_that_the_script_names(tmp_path: Path) -> None:
    """--clusters chooses [cluster.NAME], unless the user does."""
    (tmp_path / "a.sh").write_text(
        "#!/bin/bash\n#SBATCH --clusters=far,juwels\n#SBATCH -p gpu\ntrue\n"
    )
    (tmp_path / "slurm2flyte.toml").write_text(
        '[partitions.gpu]\nqueue = "all"\n[cluster.juwels]\nmatch = ["x/**"]\n'
        'partitions.gpu.queue = "booster"\nrules.ignore = ["S2F203"]\n[cluster.lumi]\n'
        'match = ["lumi/**"]\npartitions.gpu.queue = "standard"\n'
    )
    report = review(Path("a.sh"), cwd=tmp_path)
    assert 'queue="booster"' in (tmp_path / "a_flyte.py").read_text()
    assert "S2F216" not in rules_of(report)
    (item,) = [
        i for i in report["inputs"][0]["items"] if i["text"].startswith("--clusters")
    ]
    assert item["why"] == "[cluster.juwels] of slurm2flyte.toml answers for it"
    (memory,) = [f for f in report["inputs"][0]["findings"] if f["rule"] == "S2F203"]
    assert memory["accepted"]["by"] == "site file"
    review(Path("a.sh"), "--cluster", "lumi", cwd=tmp_path)
    assert 'queue="standard"' in (tmp_path / "a_flyte.py").read_text()
    (tmp_path / "a.sh").write_text(
        "#!/bin/bash\n#SBATCH --clusters=far\n#SBATCH -p gpu\ntrue\n"
    )
    assert "S2F216" in rules_of(review(Path("a.sh"), cwd=tmp_path))
    assert 'queue="all"' in (tmp_path / "a_flyte.py").read_text()


def test_rules_can_be_ignored_and_graded(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(
        "#!/bin/bash\n#SBATCH -p gpu\n#SBATCH --exclusive\ntrue\n"
    )
    (tmp_path / "slurm2flyte.toml").write_text(
        '[rules]\nignore = ["S2F210"]\n[rules.severity]\nS2F213 = "note"\n'
    )
    report = review(Path("a.sh"), "--fail-on", "decision", cwd=tmp_path)
    findings = {f["rule"]: f for f in report["inputs"][0]["findings"]}
    assert findings["S2F210"]["accepted"]["by"] == "site file"
    assert findings["S2F210"]["accepted"]["place"] == "slurm2flyte.toml:2"
    assert findings["S2F213"]["severity"] == "note"
    assert report["summary"]["open_decisions"] == 0


def test_more_gpus_than_there_are(tmp_path: Path) -> None:
    (tmp_path / "slurm2flyte.toml").write_text("[limits]\ncluster_gpus = 16\n")
    for throttle, found in (("", True), ("%2", False), ("%3", True)):
        (tmp_path / "a.sh").write_text(
            f"#!/bin/bash\n#SBATCH --array=0-9{throttle}\n#SBATCH --gres=gpu:a100:8\n"
            'echo "$SLURM_ARRAY_TASK_ID"\n'
        )
        report = review(Path("a.sh"), cwd=tmp_path)
        rules = {f["rule"] for f in report["inputs"][0]["findings"]}
        assert ("S2F904" in rules) == found, throttle


def test_init_asks_each_question_once(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"job{number}.sh").write_text(SCRIPT)
    (tmp_path / "other.sh").write_text(
        "#!/bin/bash\n#SBATCH -p cpu\n#SBATCH --exclusive\ntrue\n"
    )
    run("init", cwd=tmp_path)
    text = (tmp_path / "slurm2flyte.toml").read_text()
    assert tomllib.loads(text).keys()  # tables without an answer yet
    assert text.count("[partitions.gpu]") == 1
    assert "# S2F223 in 3 scripts, first in job0.sh:2" in text
    assert text.index("[partitions.gpu]") < text.index("[partitions.cpu]")
    assert run("init", cwd=tmp_path, status=2).stderr.startswith("slurm2flyte: error:")
    assert '# ignore = ["S2F213"]' in text  # nothing else answers that one
    # With every key taken as it is proposed the file is still one that can be read.
    active = re.sub(r"^# (?=[\w\"].* = )", "", text, flags=re.MULTILINE)
    (tmp_path / "slurm2flyte.toml").write_text(active)
    run("config", cwd=tmp_path)
    report = review(Path("other.sh"), cwd=tmp_path)
    assert open_rules(report) == set()
