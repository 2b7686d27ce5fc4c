"""Real Slurm still runs the jobs that answers.json says, of a seeded tenth of the drivers."""

import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cases import CASES, DAGS

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "behaviour"))
from slurm_cluster import Cluster, missing

SEED = os.environ.get("S2F_SEED", "1")
ALL = CASES | DAGS
GOES = {"RUNNING", "COMPLETING", "CONFIGURING"}


def submit(cluster: Cluster, folder: Path, name: str, fail: str) -> None:
    case = ALL[name]
    for file, text in case.files().items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    variables = os.environ | ({"FAIL": fail} if fail else {})
    start = "sbatch" if case.job else "bash"
    cluster.client(start, "submit.sh", *case.words(), env=variables, cwd=folder)


def settle(cluster: Cluster) -> None:
    """Wait until nothing runs and what is pending waits for what never comes."""
    quiet = 0
    until = time.monotonic() + 300
    while quiet < 8 and time.monotonic() < until:
        waiting = [
            job
            for job in cluster.jobs()
            if job["JobState"] in GOES
            or (
                job["JobState"] == "PENDING"
                and not job.get("Reason", "").startswith(("Dependency", "JobHeld"))
            )
        ]
        quiet = 0 if waiting else quiet + 1
        time.sleep(1)


def test_slurm_still_runs_these_jobs() -> None:
    if absent := missing():
        pytest.skip(f"real Slurm is not installed: no {', '.join(absent)}")
    answers = json.loads((HERE / "answers.json").read_text())
    # A singleton waits for every job of its name, whoever submitted that one.
    every = [
        (name, fail)
        for name, case in ALL.items()
        for fail in case.runs()
        if "singleton" not in case.driver
    ]
    wanted = random.Random(SEED).sample(every, len(every) // 10)
    with Cluster() as cluster, tempfile.TemporaryDirectory() as top:
        folders = {
            key: Path(top).resolve() / str(number) for number, key in enumerate(wanted)
        }
        for folder in folders.values():
            folder.mkdir()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda key: submit(cluster, folders[key], *key), wanted))
        settle(cluster)
        differ = []
        for (name, fail), folder in folders.items():
            log = folder / "log.txt"
            lines = log.read_text().splitlines() if log.exists() else []
            ran = Counter(line[6:] for line in lines if line.startswith("start "))
            if ran != Counter(answers[f"{name}|{fail}"]["ran"]):
                differ.append((name, fail, sorted(ran.elements())))
    assert not differ, f"seed {SEED}: {differ}"
