"""Every comment of the golden scripts is accounted for, by a reading of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from test_proof import CASES, reviewed

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus"))

from comments import comments_of, lost


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_comment_is_accounted_for(case: Path, tmp_path: Path) -> None:
    for script in reviewed(case, tmp_path)["inputs"]:
        text = (case / script["path"]).read_text()
        module = (tmp_path / script["output"]).read_text() if script["output"] else ""
        assert lost(script, text, module) == []


def test_comments_are_found() -> None:
    script = "a # one\nb '# no' \"# no\" ${x#y} $# # two\ncat <<E\n# no\nE\n# three\n"
    assert [each.text for each in comments_of(script)] == ["one", "two", "three"]


def test_a_comment_without_an_item_is_lost() -> None:
    review = {"verdict": "ready", "items": []}
    assert [kind for kind, _ in lost(review, "a\nb # one\n", "")] == ["no item"]
