"""Compares random headers with what the sbatch on this machine makes of them.

The headers are new in every run. S2F_SLURM_SEED repeats a run, S2F_SLURM_HEADERS sets how many.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import datetime
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

from header_maker import HeaderMaker  # pyright: ignore[reportMissingImports]
from headers import ask, components, driver, says_the_same  # pyright: ignore[reportMissingImports]
from sbatch_oracle import GRES_TYPES, Oracle, installed  # pyright: ignore[reportMissingImports]

HEADERS = int(os.environ.get("S2F_SLURM_HEADERS", "2000"))
SEED = int(os.environ.get("S2F_SLURM_SEED") or random.SystemRandom().randrange(2**32))


def same_time(ours: str, theirs: str) -> bool:
    """Two clocks are read, one after the other."""
    try:
        between = datetime.fromisoformat(ours) - datetime.fromisoformat(theirs)
    except ValueError:
        return ours == theirs
    return abs(between.total_seconds()) <= 3


def same_options(ours: dict, theirs: dict) -> bool:
    if ours.keys() != theirs.keys():
        return False
    return all(
        same_time(ours[name], theirs[name])
        if name in ("begin", "deadline")
        else ours[name] == theirs[name]
        for name in ours
    )


def difference(ours: dict, theirs: dict) -> str | None:
    if ours["accepted"] is not theirs["accepted"]:
        return "acceptance"
    options = [component["effective_options"] for component in components(ours)]
    for one in options:
        one.pop("verbose", None)
    # A refused header is listed as far as sbatch came.
    listed = theirs["options"]
    if ours["accepted"] and len(options) != len(listed):
        return "the number of components"
    if not all(same_options(a, b) for a, b in zip(options, listed)):
        return "options"
    # sbatch 22.05 dies without a word of some numbers near the ends of its integers.
    if not ours["accepted"] and theirs["messages"]:
        reason = ours["rejections"][0]["message"]
        if not says_the_same(reason, theirs["messages"]):
            return "the reason"
    return None


def test_random_headers_against_sbatch() -> None:
    program = driver()
    if program is None:
        pytest.skip(
            "the driver is not built: set S2F_BINARY to a binary of the dev preset"
        )
    version = installed()
    if version is None:
        pytest.skip("sbatch is not installed (Debian package: slurm-client)")
    if not version.startswith("22.05."):
        pytest.skip(f"sbatch here is {version}; the reader is measured against 22.05")
    print(f"seed {SEED}, {HEADERS} headers, sbatch {version}")
    maker = HeaderMaker(SEED)
    requests = [maker.request() for _ in range(HEADERS)]
    with Oracle() as oracle:
        theirs = oracle.ask(requests)
    ours = ask(
        [
            {
                **request,
                "release": "22.05",
                "gres_types": GRES_TYPES,
                "now": answer["asked"],
            }
            for request, answer in zip(requests, theirs)
        ],
        program,
    )
    wrong = []
    for request, one, other in zip(requests, ours, theirs):
        if what := difference(one, other):
            wrong.append(
                (what, request, one["rejections"], one["effective_options"], other)
            )
    accepted = sum(answer["accepted"] for answer in theirs)
    print(f"sbatch accepts {accepted}, refuses {len(theirs) - accepted}")
    print(f"{len(wrong)} of {HEADERS} differ")
    assert not wrong, (
        f"{len(wrong)} of {HEADERS} differ with seed {SEED}; the first in {wrong[0]}"
    )
    assert accepted > HEADERS // 5
    silent = sum(not each["accepted"] and not each["messages"] for each in theirs)
    assert silent <= HEADERS // 100, "the words of sbatch are lost"
    if HEADERS >= 2000:
        unused = [o["name"] for o in maker.options if maker.used.get(o["name"], 0) < 5]
        assert not unused, f"too few headers for {unused}"
