"""Bash can read the text that a module keeps, where it can read the script."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "corpus"), str(ROOT / "tests" / "judge")]

from golden_cases import run_binary
from kept_text import kept_texts, refusal, refused

GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/expected/*_flyte.py"))
SCRIPTS = sorted((ROOT / "tests" / "behaviour" / "cases").glob("*/job.sh"))


@pytest.mark.parametrize(
    "module", GOLDEN, ids=lambda path: f"{path.parent.parent.name}-{path.stem}"
)
def test_kept_texts_of_golden_modules(module: Path) -> None:
    for text in kept_texts(module.read_text()):
        assert refusal(text) is None


def test_kept_texts_of_the_behaviour_cases(tmp_path: Path) -> None:
    for script in SCRIPTS:
        folder = tmp_path / script.parent.name
        folder.mkdir()
        (folder / "job.sh").write_bytes(script.read_bytes())
    options = ["-q", "--fail-on", "never", "--report", "review.json"]
    run_binary("convert", *options, ".", cwd=tmp_path)
    texts = 0
    for one in json.loads((tmp_path / "review.json").read_text())["inputs"]:
        module = tmp_path / (one.get("output") or "none")
        if module.exists():
            script = (tmp_path / one["path"]).read_text(errors="surrogateescape")
            texts += len(list(kept_texts(module.read_text())))
            assert not refused(script, module.read_text()), one["path"]
    assert texts > 100


def test_a_text_that_bash_cannot_read_is_found() -> None:
    module = (
        'A = r"""\nfi\n"""\n\n\nasync def a() -> None:\n    await bash(A, "a.sh")\n'
    )
    assert refused("true\n", module)
    assert not refused("if\n", module)
