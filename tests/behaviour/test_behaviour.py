"""Converted jobs print, end and leave files as real Slurm did; or a finding says how they differ."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from behaviour import (
    Case,
    Server,
    cases,
    flyte_outcome,
    same_answer,
    slurm_answers,
    wrong,
)
from slurm_cluster import missing

CASES = cases()
SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))
SEED = os.environ.get("S2F_SEED", "1")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_flyte_does_as_slurm_did(case: Case, server: Server, tmp_path: Path) -> None:
    if (needs := case.about.get("needs")) and not shutil.which(needs):
        pytest.skip(f"{needs} is not installed")
    outcome = flyte_outcome(case, tmp_path.resolve() / "run", server)
    complaints = wrong(case, outcome)
    told = "\n".join([*complaints, outcome.log, outcome.module])
    if known := case.about.get("known"):
        assert {each.partition(":")[0] for each in complaints} == set(known["what"]), (
            f"no longer as case.json says, {known}:\n{told}"
        )
        pytest.xfail(known["why"])
    assert not complaints, told


def test_slurm_still_answers_so() -> None:
    """A tenth of the answers, chosen by S2F_SEED; all of them among the slow tests."""
    if absent := missing():
        pytest.skip(f"real Slurm is not installed: no {', '.join(absent)}")
    here = [c for c in CASES if shutil.which(c.about.get("needs", "sh"))]
    some = random.Random(SEED).sample(here, max(1, len(here) // 10))
    wanted = here if SLOW else some
    answers = slurm_answers(wanted)
    differ = [case.name for case in wanted if not same_answer(case, answers[case.name])]
    assert not differ, f"seed {SEED}: {[(name, answers[name]) for name in differ]}"


def test_every_form_has_cases() -> None:
    assert len(CASES) >= 150
