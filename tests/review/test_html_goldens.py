"""The page of ten goldens, used in a browser as the person who signs uses it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
# Where the pictures go that a person looks at; nowhere unless it is set.
SHOTS = os.environ.get("S2F_SHOTS")
CASES = [
    "single_gpu",
    "array",
    "diamond",
    "driver_loop",
    "driver_plan",
    "requeue",
    "staging",
    "mpi",
    "secrets",
    "cluster_paths",
]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def browser(started: Browser) -> Browser:
    started.console.clear()
    started.requests.clear()
    return started


def run(*arguments: str, cwd: Path, statuses: tuple[int, ...] = (0,)) -> str:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode in statuses, done.stderr
    return done.stdout


def converted(case: str, folder: Path) -> tuple[list[str], Path]:
    """The scripts of a golden and their page, in a copy of its folder."""
    shutil.copytree(
        ROOT / "tests" / "golden" / case,
        folder,
        ignore=shutil.ignore_patterns("expected"),
        dirs_exist_ok=True,
    )
    words = (folder / "arguments").read_text().split("\n")
    scripts = [w for w in words if w and (folder / w).is_file()]
    reports = ["--report", "review.html", "--report", "review.json"]
    run("convert", *scripts, "-q", "--force", *reports, cwd=folder, statuses=(0, 1))
    return scripts, folder / "review.html"


def findings_of(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    review = json.loads((folder / "review.json").read_text())
    return {
        (script["path"], finding["id"]): finding
        for script in review["inputs"]
        for finding in script["findings"]
    }


def picture(browser: Browser, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        browser.shot(Path(SHOTS) / f"{name}.png")


@pytest.mark.parametrize("case", CASES)
def test_signed_on_the_page(case: str, tmp_path: Path, browser: Browser) -> None:
    folder = tmp_path / case
    scripts, page = converted(case, folder)
    before = findings_of(folder)
    decisions = {k for k, f in before.items() if f["severity"] == "decision"}
    browser.show(page)
    picture(browser, f"{case}-light")
    assert browser.run("+document.getElementById('open-count').textContent") == len(
        {k for k in decisions if "accepted" not in before[k]}
    )
    browser.run(
        "const w=document.getElementById('who'); w.value='Grace H'; "
        "w.dispatchEvent(new Event('input'))"
    )
    # Every finding that can be signed is accepted by its key, with a comment.
    signable = browser.run("document.querySelectorAll('.finding .sign').length")
    total = browser.run("document.querySelectorAll('.finding').length")
    for _ in range(total):
        browser.press("j")
        if browser.run("!!document.querySelector('.current .sign')"):
            browser.press("a")
            browser.run(
                "{const t=document.querySelector('.current textarea'); "
                "t.value='looked at <it> & \"all\"'; "
                "t.dispatchEvent(new Event('input',{bubbles:true}))}"
            )
    assert browser.run("+document.getElementById('open-count').textContent") == 0
    picture(browser, f"{case}-signed")
    if signable:
        downloads = tmp_path / "downloads"
        browser.send(
            "Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads)
        )
        browser.run("document.getElementById('export').click()")
        for _ in range(100):
            if list(downloads.glob("*.json")):
                break
            time.sleep(0.1)
        exported = downloads / "slurm2flyte.signoff.json"
        assert len(json.loads(exported.read_text())["entries"]) == signable
        run("signoff", "import", *scripts, "--from", str(exported), cwd=folder)
        run("signoff", "check", *scripts, cwd=folder)
    assert browser.console == []
    assert {r for r in browser.requests if not r.startswith("blob:")} == {page.as_uri()}
    # The next run has the answers, on the page as well, and fails for nothing.
    run(
        *("convert", *scripts, "-q", "--fail-on", "decision"),
        *("--report", "review.html", "--report", "review.json"),
        cwd=folder,
    )
    after = findings_of(folder)
    assert after.keys() == before.keys()
    for place in decisions:
        accepted = after[place]["accepted"]
        assert accepted["who"] == "Grace H"
        assert accepted["reason"] == 'looked at <it> & "all"'
    browser.requests.clear()
    browser.show(page, dark=True)
    picture(browser, f"{case}-dark")
    assert browser.run("+document.getElementById('open-count').textContent") == 0
    assert browser.run("document.querySelectorAll('.is-accepted').length") == signable
    assert browser.run("document.getElementById('status').textContent") == ""
    assert browser.console == []
    assert browser.requests == [page.as_uri()]


@pytest.mark.parametrize("case", ["diamond", "single_gpu"])
def test_on_paper(case: str, tmp_path: Path, browser: Browser) -> None:
    """A module that several scripts share is printed once, nothing that needs a mouse at all."""
    _, page = converted(case, tmp_path / case)
    browser.show(page)
    browser.run("localStorage.clear()")
    browser.show(page)
    browser.send("Emulation.setEmulatedMedia", media="print")
    try:
        shown = "[...document.querySelectorAll('%s')].filter(n=>n.getClientRects().length).length"
        assert browser.run(shown % '.pane[aria-label^="Module "]') == 1
        assert browser.run(shown % ".bar, .sign") == 0
        assert browser.run(shown % "footer.paper") == 1
        assert (
            browser.run(
                "[...document.querySelectorAll('.pane')].every("
                "p=>p.scrollHeight<=p.clientHeight+2||!p.getClientRects().length)"
            )
            is True
        )
        # What is chosen stands on paper in words, too.
        signable = browser.run("document.querySelectorAll('.finding .sign').length")
        browser.run(
            "document.querySelectorAll('.sign [value=accepted]').forEach(i=>i.click())"
        )
        assert browser.run(shown % ".sign") == signable
        picture(browser, f"{case}-paper")
    finally:
        browser.send("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("case", CASES)
def test_every_link_leads_to_what_it_names(
    case: str, tmp_path: Path, browser: Browser
) -> None:
    _, page = converted(case, tmp_path / case)
    browser.show(page)
    missing = browser.run(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map(a=>a.getAttribute('href'))"
        ".filter(h=>!document.getElementById(h.slice(1)))"
    )
    assert missing == []
    # Both ways: what a line of the script lights up, lights up that line.
    one_way = browser.run(
        "[...document.querySelectorAll('.code li[data-other]')].flatMap(n=>"
        "n.dataset.other.split(' ').filter(Boolean).map(o=>[n.id,o])).filter(([a,b])=>"
        "!document.getElementById(b).dataset.other.split(' ').includes(a))"
    )
    assert one_way == []
