"""Nothing from a script acts on who reads of it: browser, Markdown, SARIF, JSON, log, terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import Browser
from hostile import HOSTILE

# What a terminal acts on, or what turns text round; the line feed ends lines.
ACTS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
REPORTS = ("r.html", "r.json", "r.md", "r.sarif", "r.txt")


def run(folder: Path, *arguments: str, **variables: str) -> str:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    done = subprocess.run(
        [binary, *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
        env={"PATH": os.environ["PATH"], **variables},
    )
    assert done.returncode in (0, 1), done.stderr
    return (done.stdout + done.stderr).decode()


@pytest.fixture(scope="session")
def converted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {}
    for name, text in HOSTILE.items():
        folder = tmp_path_factory.mktemp("hostile")
        (folder / name).write_text(text)
        reports = [word for report in REPORTS for word in ("--report", report)]
        run(folder, "convert", name, "-q", "--keep-going", *reports)
        folders[name] = folder
    return folders


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


@pytest.mark.parametrize("name", HOSTILE)
def test_in_a_browser(name: str, converted: dict[str, Path], browser: Browser) -> None:
    browser.console.clear()
    browser.requests.clear()
    page = converted[name] / "r.html"
    tags = Tags(page.read_text())
    assert tags.tags.count("script") == 1 and tags.tags.count("style") == 1
    assert not {"img", "base", "iframe", "object"} & set(tags.tags)
    assert not any(n.startswith("on") for n, _ in tags.attributes)
    assert all((v or "").startswith("#") for n, v in tags.attributes if n == "href")
    browser.show(page)
    browser.press("j")
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert browser.run("window.bad") is None
    assert browser.run("document.title").startswith("Review of ")
    assert browser.run("document.querySelectorAll('script').length") == 1
    assert browser.run("getComputedStyle(document.body).display") == "block"
    # What is shown is the script, as text.
    shown = browser.run(
        "[...document.querySelectorAll('[aria-label^=\"Script \"] .code code')]"
        ".map(n => n.textContent)"
    )
    assert len(shown) == HOSTILE[name].count("\n")
    plain = [
        line for line in HOSTILE[name].split("\n") if line and not ACTS.search(line)
    ]
    assert set(plain) <= set(shown)
    assert browser.console == []
    assert browser.requests == [page.as_uri()]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_report_holds_what_acts(name: str, converted: dict[str, Path]) -> None:
    for report in REPORTS:
        text = (converted[name] / report).read_text()
        assert not ACTS.search(text), report
    for module in converted[name].glob("*_flyte.py"):
        assert not ACTS.search(module.read_text()), module.name


@pytest.mark.parametrize("name", HOSTILE)
def test_in_markdown(name: str, converted: dict[str, Path]) -> None:
    """What a renderer of the common kind makes of it: no tag, picture or link from the script."""
    markdown_it = pytest.importorskip("markdown_it")
    renderer = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table")
    text = (converted[name] / "r.md").read_text()
    page = Tags(renderer.render(text))
    allowed = {
        "h1",
        "h2",
        "h3",
        "p",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "code",
        "pre",
        "strong",
        "em",
        "ul",
        "ol",
        "li",
        "br",
    }
    assert set(page.tags) <= allowed, set(page.tags) - allowed
    assert {n for n, _ in page.attributes} <= {"style", "class", "start"}
    # Every row of a table has as many cells as its head.
    for table in re.findall(r"<table>.*?</table>", renderer.render(text), re.DOTALL):
        rows = ET.fromstring(table).iter("tr")
        assert len({len(list(row)) for row in rows}) == 1
    assert "@everyone" not in text.replace("`", "") or "`" in text


@pytest.mark.parametrize("name", HOSTILE)
def test_in_json_and_sarif(name: str, converted: dict[str, Path]) -> None:
    review = json.loads((converted[name] / "r.json").read_bytes())
    log = json.loads((converted[name] / "r.sarif").read_bytes())
    assert (converted[name] / "r.json").read_bytes().isascii()
    assert (converted[name] / "r.sarif").read_bytes().isascii()
    assert [one["path"] for one in review["inputs"]] == [name]
    rules = set(
        json.loads(run(converted[name], "rules", "--json"))
        and [row["code"] for row in json.loads(run(converted[name], "rules", "--json"))]
    )
    assert {f["rule"] for f in review["inputs"][0]["findings"]} <= rules
    for result in log["runs"][0]["results"]:
        assert result["ruleId"] in rules
        assert not ACTS.search(result["message"]["text"])
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9/._~!$&'()*+,;=@%-]+", uri), uri


@pytest.mark.parametrize("name", HOSTILE)
def test_on_a_terminal(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(HOSTILE[name])
    for colour in ("0", "1"):
        for command in (
            ("convert", name, "--keep-going", "--force"),
            ("inspect", name),
            ("audit", "."),
            ("init", ".", "-o", "-"),
            ("signoff", "list", name),
        ):
            text = run(tmp_path, *command, CLICOLOR_FORCE=colour)
            if colour == "1":
                text = COLOUR.sub("", text)
            assert not ACTS.search(text), (command, ACTS.search(text))


@pytest.mark.parametrize("name", HOSTILE)
def test_in_a_log_of_ci(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(HOSTILE[name])
    text = run(tmp_path, "convert", name, "--keep-going", "--format", "github")
    for line in text.splitlines():
        assert re.match(r"::(?:error|warning|notice) file=[^:]+::|::", line), line
        assert line.startswith(("::error ", "::warning ", "::notice ")), line
