"""The examples of the rules' pages: what they say raises a rule does, what they say does not does not.

A page's example is a fenced block: `bash raises` and `bash quiet` are scripts (so is `crontab`), `text file=NAME` a
file beside them (`{1..9}` in it: so many); `bom` puts a byte order mark before a script. `option=` gives `convert` an option.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
PAGES = sorted((ROOT / "docs" / "rules").glob("S2F*.md"))
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMES = {"bash": "job.sh", "crontab": "crontab", "python": "job.py"}
# What no script can raise: they say that the program itself went wrong.
INTERNAL = {"S2F900", "S2F901"}
# What is said of several scripts together: the files beside them are converted, too.
WHOLE = {"S2F361", "S2F362"}

EXAMPLES = [
    pytest.param(page, language, info.split(), text, id=f"{page.stem} {info.strip()}")
    for page in PAGES
    for language, info, text in FENCE.findall(page.read_text())
    if language in NAMES and {"raises", "quiet"} & set(info.split())
]


def names_of(name: str) -> list[str]:
    """a{1..3}.txt: a1.txt, a2.txt and a3.txt."""
    many = re.fullmatch(r"(.*)\{(\d+)\.\.(\d+)\}(.*)", name)
    if many is None:
        return [name]
    before, first, last, behind = many.groups()
    numbers = range(int(first), int(last) + 1)
    return [f"{before}{number}{behind}" for number in numbers]


def rules_raised(folder: Path, name: str, *options: str) -> set[str]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, "convert", name, "--keep-going", "--report", "review.json", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    review = json.loads((folder / "review.json").read_text())
    return {finding["rule"] for one in review["inputs"] for finding in one["findings"]}


@pytest.mark.parametrize(("page", "language", "info", "text"), EXAMPLES)
def test_examples_do_as_they_say(
    page: Path, language: str, info: list[str], text: str, tmp_path: Path
) -> None:
    for _, about, content in FENCE.findall(page.read_text()):
        for word in about.split():
            if word.startswith("file="):
                for name in names_of(word.removeprefix("file=")):
                    beside = tmp_path / name
                    beside.parent.mkdir(parents=True, exist_ok=True)
                    beside.write_text(content)
    options = [w.removeprefix("option=") for w in info if w.startswith("option=")]
    script = tmp_path / NAMES[language]
    script.write_text(("\ufeff" if "bom" in info else "") + text)
    raised = rules_raised(
        tmp_path, "." if page.stem in WHOLE else script.name, *options
    )
    assert (page.stem in raised) == ("raises" in info), sorted(raised)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_shows_what_raises_it(page: Path) -> None:
    if page.stem in INTERNAL or (page.stem > "S2F900" and page.stem < "S2F910"):
        pytest.skip("no script raises it")
    roles = {
        word
        for _, about, _ in FENCE.findall(page.read_text())
        for word in about.split()
    }
    assert "raises" in roles
