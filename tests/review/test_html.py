"""The HTML report, as a browser shows it and as a person uses it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import Browser

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """#!/bin/bash
#SBATCH --job-name=train
#SBATCH --partition=gpu
#SBATCH --gres=gpu:a100:8
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=4G
#SBATCH --requeue
#SBATCH --exclusive

# slurm2flyte: ignore[S2F501] it holds nothing
source ~/venvs/train/bin/activate
python train.py --data /data/x --lr 3e-4
"""
HOSTILE = """#!/bin/bash
#SBATCH --partition=x</script><script>window.bad=1</script>
#SBATCH --comment="--><img src=x onerror=window.bad=2>"
#SBATCH --account="'\\"><svg/onload=window.bad=3>"
# \u202egnp.exe\u2066 {{{script}}} {{#inputs}} </code></textarea></title><base href=//evil.example>
# javascript:alert(1) <!-- ]]> &lt;script&gt; \x1b[31m
python a.py '</style><style>*{display:none}</style>' /data/"><b>x
"""


def convert(folder: Path, *scripts: str, status: int | None = None) -> Path:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [
            binary,
            "convert",
            *scripts,
            "-q",
            "--force",
            "--keep-going",
            "--report",
            "review.html",
            "--report",
            "review.json",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return folder / "review.html"


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests: it takes longer to start than they do."""
    with Browser(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def browser(started: Browser) -> Browser:
    started.console.clear()
    started.requests.clear()
    return started


class Page(HTMLParser):
    """Tags, ids and links of a page."""

    VOID = frozenset(["meta", "input", "img", "br", "hr", "link", "base"])

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (self.open[-3:], tag, self.getpos())
        self.open.pop()


def test_the_page_is_whole(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    (tmp_path / "other.sh").write_text("#!/bin/bash\ntrue\n")
    text = convert(tmp_path, "train.sh", "other.sh").read_text()
    page = Page(text)
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.tags:
        target = attributes.get("href") or ""
        if tag == "a" and target.startswith("#"):
            assert target[1:] in ids, target
        assert "style" not in attributes and not any(
            n.startswith("on") for n in attributes
        )
        assert not (attributes.get("src") or "")
    for name in ("http:", "https:", "@import", "url("):
        assert name not in text, name
    # Every finding and every line of the ledger is there.
    review = json.loads((tmp_path / "review.json").read_text())
    for number, script in enumerate(review["inputs"]):
        for finding in script["findings"]:
            assert f'data-id="{finding["id"]}"' in text
        for line in range(
            1, len((tmp_path / script["path"]).read_text().splitlines()) + 1
        ):
            assert f"i{number}s{line}" in ids


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    first = convert(tmp_path, "train.sh").read_bytes()
    assert convert(tmp_path, "train.sh").read_bytes() == first


def test_hostile_text_stays_text(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "bad.sh").write_text(HOSTILE)
    page = convert(tmp_path, "bad.sh")
    text = page.read_text()
    tags = [tag for tag, _ in Page(text).tags]
    assert tags.count("script") == 1 and tags.count("style") == 1
    assert not {"img", "svg", "base"} & set(tags)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b]", text)
    browser.show(page)
    assert browser.run("window.bad") is None
    assert browser.run("document.querySelectorAll('script').length") == 1
    assert browser.run("getComputedStyle(document.body).display") == "block"
    assert browser.console == []
    assert browser.requests == [page.as_uri()]


def test_a_person_signs(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    page = convert(tmp_path, "train.sh")
    downloads = tmp_path / "downloads"
    browser.send(
        "Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads)
    )
    browser.show(page)
    opened = browser.run("+document.getElementById('open-count').textContent")
    assert opened >= 3
    # Without a name nothing is exported.
    browser.press("e")
    assert "name" in browser.run("document.getElementById('status').textContent")
    assert browser.run("document.activeElement.id") == "who"
    browser.run(
        "const w=document.getElementById('who'); w.value='Ada L'; "
        "w.dispatchEvent(new Event('input')); w.blur()"
    )
    browser.press("j")
    first = browser.run("document.querySelector('.current').dataset.id")
    browser.press("a")
    assert (
        browser.run("+document.getElementById('open-count').textContent") == opened - 1
    )
    browser.run(
        "const t=document.querySelector('.current textarea'); t.value='yes \"<b>\"'; "
        "t.dispatchEvent(new Event('input',{bubbles:true})); t.blur()"
    )
    browser.press("j")
    browser.press("r")
    second = browser.run("document.querySelector('.current').dataset.id")
    browser.press("j")
    # Another choice than the default is an answer, and stays open.
    browser.run(
        "[...document.querySelectorAll('.current .choices input')].find("
        "i=>!('default' in i.dataset)).click()"
    )
    third = browser.run("document.querySelector('.current').dataset.id")
    # A reload keeps what was ticked.
    browser.show(page)
    assert browser.run("document.getElementById('who').value") == "Ada L"
    browser.run("document.getElementById('export').click()")
    for _ in range(100):
        if list(downloads.glob("*.json")):
            break
        time.sleep(0.1)
    exported = json.loads((downloads / "slurm2flyte.signoff.json").read_text())
    assert browser.console == []
    assert {r for r in browser.requests if not r.startswith("blob:")} == {page.as_uri()}
    entries = {entry["id"]: entry for entry in exported["entries"]}
    assert {entries[i]["state"] for i in (first,)} == {"accepted"}
    assert entries[first]["reason"] == 'yes "<b>"'
    assert entries[first]["who"] == "Ada L"
    assert entries[second]["state"] == "rejected"
    assert entries[third]["state"] == "answered" and entries[third]["answer"]
    # What the page gave away is what the program takes back.
    done = subprocess.run(
        [
            os.environ["S2F_BINARY"],
            "signoff",
            "import",
            "train.sh",
            "--from",
            str(downloads / "slurm2flyte.signoff.json"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    convert(tmp_path, "train.sh")
    review = json.loads((tmp_path / "review.json").read_text())
    accepted = {
        f["id"]: f["accepted"]
        for f in review["inputs"][0]["findings"]
        if "accepted" in f
    }
    assert accepted[first]["who"] == "Ada L"
    assert second not in accepted and third not in accepted
    assert {f["rule"] for f in review["inputs"][0]["findings"]} >= {"S2F905"}


def test_finding_and_lines_belong_together(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "train.sh").write_text(SCRIPT)
    page = convert(tmp_path, "train.sh")
    browser.show(page)
    browser.run("document.querySelector('#i0s4 .n').click()")
    hit = browser.run(
        "[...document.querySelectorAll('.pane .hit code')].map(n=>n.textContent)"
    )
    assert hit[0] == "#SBATCH --gres=gpu:a100:8"
    assert any('gpu="A100:8"' in line for line in hit[1:])
    browser.run("document.querySelector('[data-filter=decision]').click()")
    assert browser.run(
        "[...document.querySelectorAll('.finding:not([hidden])')]"
        ".every(f=>f.dataset.severity!=='decision'||f.dataset.accepted)"
    )
    browser.run("document.querySelector('[data-filter=decision]').click()")
    browser.press("/")
    browser.run(
        "const s=document.getElementById('search'); s.value='S2F210'; "
        "s.dispatchEvent(new Event('input'))"
    )
    shown = browser.run(
        "[...document.querySelectorAll('.finding:not([hidden])')].map(f=>f.dataset.rule)"
    )
    assert shown == ["S2F210"]
    assert browser.console == []


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_read(
    tmp_path: Path, browser: Browser, width: int, dark: bool
) -> None:
    """No sideways scrolling, enough contrast, a name on every control."""
    long = "a_rather_long_name_of_a_script_that_nobody_shortened.sh"
    (tmp_path / "train.sh").write_text(SCRIPT)
    (tmp_path / long).write_text(SCRIPT.replace("=train", f"={'x' * 90}"))
    page = convert(tmp_path, "train.sh", long)
    browser.show(page, width=width, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") <= width
    unnamed = browser.run(
        "[...document.querySelectorAll('input,textarea,button,[role=region]')].filter(n=>"
        "!(n.labels&&n.labels.length&&n.labels[0].textContent.trim())&&"
        "!n.getAttribute('aria-label')&&!n.textContent.trim()).map(n=>n.outerHTML)"
    )
    assert unnamed == []
    poor = browser.run(CONTRAST)
    assert poor == []


CONTRAST = """
(() => {
  const rgb = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const lum = ([r, g, b]) => [r, g, b].map((v) => { v /= 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (n) => { for (; n; n = n.parentElement) { const c = rgb(getComputedStyle(n).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  const bad = [];
  for (const n of document.querySelectorAll('body *')) {
    if (![...n.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim())) continue;
    if (!n.getClientRects().length || n.closest('.skip')) continue;
    const a = lum(rgb(getComputedStyle(n).color)), b = lum(ground(n));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(n.className + ' ' + n.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
  }
  return bad;
})()
"""
