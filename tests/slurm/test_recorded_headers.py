"""Headers and what real sbatch (22.05.8) said of each: 1,500 random ones, and those made of mistakes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from headers import ask, components, driver, read_lines, says_the_same  # pyright: ignore[reportMissingImports]

HEADERS = read_lines("headers.jsonl")
ADVERSARIAL = read_lines("adversarial.jsonl")
# Numbers at the edges of Slurm's fields and what follows from them, with variables and arguments.
EDGES = read_lines("edges.jsonl")
GRES_TYPES = ["gpu", "lscratch", "shard", "mps"]


def answers(cases: list[dict], **more: object) -> list[dict]:
    program = driver()
    if program is None:
        pytest.skip(
            "the driver is not built: set S2F_BINARY to a binary of the dev preset"
        )
    return ask([{"script": case["script"], **more} for case in cases], program)


@pytest.mark.parametrize("release", ["22.05", ""], ids=["as 22.05", "as any release"])
def test_random_headers(release: str) -> None:
    wrong = []
    for case, answer in zip(HEADERS, answers(HEADERS, release=release)):
        same = answer["accepted"] is case["accept"]
        if same and "options" in case:
            same = answer["effective_options"] == case["options"]
        if same and not case["accept"]:
            reason = answer["rejections"][0]["message"]
            same = says_the_same(reason, case["message"])
        if not same:
            wrong.append((case, answer))
    print(f"{len(wrong)} of {len(HEADERS)} differ")
    assert not wrong, f"{len(wrong)} of {len(HEADERS)} differ, the first: {wrong[0]}"


@pytest.mark.parametrize(
    "number", range(len(ADVERSARIAL)), ids=[c["case"] for c in ADVERSARIAL]
)
def test_adversarial(number: int) -> None:
    case = ADVERSARIAL[number]
    # A plugin's options are read unless a release is named: sbatch of these runs had no plugin.
    plugin = case["accept"] is None
    if plugin:
        (answer,) = answers([case])
        assert answer["accepted"]
    (answer,) = answers([case], release="22.05")
    if plugin or not case["accept"]:
        assert not answer["accepted"]
        assert says_the_same(answer["rejections"][0]["message"], case["messages"])
    else:
        assert answer["accepted"], answer["rejections"]
        options = [component["effective_options"] for component in components(answer)]
        assert options == case["options"]


def test_edges() -> None:
    program = driver()
    if program is None:
        pytest.skip(
            "the driver is not built: set S2F_BINARY to a binary of the dev preset"
        )
    requests = [
        {"release": "22.05", "gres_types": GRES_TYPES}
        | {key: case[key] for key in ("script", "argv", "env") if key in case}
        for case in EDGES
    ]
    wrong = []
    for case, answer in zip(EDGES, ask(requests, program)):
        options = [component["effective_options"] for component in components(answer)]
        same = answer["accepted"] is case["accept"]
        # A refused header is listed as far as sbatch came.
        same &= all(ours == theirs for ours, theirs in zip(options, case["options"]))
        if same and not case["accept"]:
            same = says_the_same(answer["rejections"][0]["message"], case["messages"])
        if not same:
            wrong.append((case, answer["rejections"], options))
    print(f"{len(wrong)} of {len(EDGES)} differ")
    assert not wrong, f"{len(wrong)} of {len(EDGES)} differ, the first: {wrong[0]}"


def test_recordings_are_whole() -> None:
    assert len(HEADERS) == 1500
    assert len(ADVERSARIAL) == 46
    assert not any(re.search(r"/(home|root)/", case["script"]) for case in HEADERS)
