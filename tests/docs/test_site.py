"""The documentation site: it builds, its links lead somewhere, and what it tells people to type works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from flyte_cli import OPEN_ENDED, complaint, verbs

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
FENCE = re.compile(r"^(`{3,})(\w*)[^\n]*\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
# Of Flyte, and what one may think is one.
VERBS = {
    *verbs(),
    "cancel",
    "debug",
    "describe",
    "kill",
    "list",
    "logs",
    "ps",
    "status",
    "submit",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "build_site.py", "build", out],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "S2F_BINARY": BINARY},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_every_page_is_in_the_site(built: Path) -> None:
    for page in (built / "pages").rglob("*.md"):
        name = page.relative_to(built / "pages").with_suffix(".html")
        if name.name == "README.html":
            continue
        assert (built / "site" / name).exists(), name
    for rule in (ROOT / "docs" / "rules").glob("*.md"):
        text = (built / "site" / "rules" / f"{rule.stem}.html").read_text()
        assert (
            "raises" not in re.sub(r"raises? it|Raises it", "", text)
            or "```" not in text
        )
        assert "```" not in text, f"{rule.name}: a block that is not laid out"


def test_nothing_is_loaded_from_elsewhere(built: Path) -> None:
    for page in ("index.html", "mapping/index.html", "gallery/index.html"):
        text = (built / "site" / page).read_text()
        loaded = re.findall(
            r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', text
        )
        assert not loaded, f"{page}: {loaded}"


def test_every_construct_is_shown_with_its_output(built: Path) -> None:
    text = (built / "pages" / "mapping" / "index.md").read_text()
    for script in (ROOT / "docs" / "constructs").glob("*.sh"):
        assert f'title="{script.name}"' in text, f"{script.name} is on no page"
    assert text.count('_flyte.py"') > 20


def test_a_link_that_leads_nowhere_fails(tmp_path: Path) -> None:
    settings = (ROOT / "docs" / "mkdocs.yml").read_text().split("nav:")[0]
    (tmp_path / "mkdocs.yml").write_text(settings + "docs_dir: pages\nsite_dir: site\n")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# Page\n\n[there](page.md#nowhere)\n")
    (tmp_path / "pages" / "page.md").write_text("# Other\n")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert "nowhere" in done.stderr + done.stdout


def sources(built: Path) -> list[Path]:
    """What says to people what to type: pages, modules, reviews, and what the program prints."""
    golden = ROOT / "tests" / "golden"
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "examples" / "README.md",
        *(built / "pages").rglob("*.md"),
        *golden.glob("*/expected/*.py"),
        *golden.glob("*/expected/*.md"),
        *golden.glob("*/expected/*.txt"),
        *(ROOT / "grammar").glob("*.json"),
        *(ROOT / "templates").rglob("*.mustache"),
    ]


def flyte_commands(text: str) -> set[tuple[str, str]]:
    """Each `flyte ...` in a text with how it stands there: a line, a span, or among other words."""
    found = set()
    for line in text.splitlines():
        spans = re.findall(r"`(flyte [^`]+)`", line)
        found |= {(span, "span") for span in spans}
        if "`" in line:
            continue
        for match in re.finditer(
            r"(?<![\w./-])flyte (?:-\w+ \w+ )?([a-z][a-z-]*)[^#&)\"]*", line
        ):
            if match[1] in VERBS:
                is_line = line.strip().startswith("flyte ") or "  flyte " in line
                found.add((match[0].strip(), "line" if is_line else "words"))
    return found


def objection(command: str, stands_as: str) -> str:
    """What the CLI would say; a span may name a command without what it wants."""
    if stands_as == "line":
        return complaint(command)
    if stands_as == "span":
        said = complaint(command)
        return "" if said.endswith("is missing") else said
    verb_and_noun = command.split()[:3]
    if verb_and_noun[1] in OPEN_ENDED:
        return ""
    said = complaint(" ".join(verb_and_noun))
    return "" if said.endswith("is missing") or "no place for" in said else said


def test_every_flyte_command_is_one(built: Path) -> None:
    complaints = []
    count = 0
    for path in sources(built):
        for command, stands_as in flyte_commands(path.read_text(errors="replace")):
            if any(mark in command for mark in ("{{", "PATH ENTRY", "{}")):
                continue
            count += 1
            said = objection(command, stands_as)
            if said:
                complaints.append(f"{path.name}: {said}")
    assert not complaints, "\n".join(complaints)
    assert count > 300


def test_the_page_of_commands_gives_them_in_full(built: Path) -> None:
    text = (built / "pages" / "commands.md").read_text()
    commands = re.findall(r"`(flyte [^`]+)`", text)
    said = [complaint(command) for command in commands if command != "flyte stop"]
    assert not any(said), said
    for slurm in [
        "sbatch",
        "squeue",
        "scancel",
        "sacct",
        "sinfo",
        "salloc",
        "srun",
        "scontrol",
        "seff",
        "sstat",
        "scrontab",
    ]:
        assert re.search(rf"\| [^|]*`{slurm}\b", text), f"{slurm} is not translated"


def test_the_check_knows_a_wrong_command() -> None:
    assert "no such command" in complaint("flyte stop run RUN")
    assert "No such option" in complaint("flyte run --locally train_flyte.py train")
    assert "missing" in complaint("flyte abort run")
    assert not complaint("flyte abort run RUN")


def own_commands(page: Path) -> list[str]:
    text = page.read_text()
    lines = [
        line
        for fence in FENCE.findall(text)
        if fence[1] == "sh"
        for line in fence[2].splitlines()
    ]
    lines += re.findall(r"(?m)^    (slurm2flyte .*)$", FENCE.sub("", text))
    return [line for line in lines if line.startswith("slurm2flyte ")]


PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if own_commands(page)
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    """In a copy of examples/, with the scripts in jobs/ too, one after the other."""
    work = tmp_path / "work"
    shutil.copytree(ROOT / "examples", work)
    shutil.copytree(ROOT / "examples" / "array", work / "jobs")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "slurm2flyte").symlink_to(BINARY)
    downloads = tmp_path / "home" / "Downloads"
    downloads.mkdir(parents=True)
    (downloads / "slurm2flyte.signoff.json").write_text(
        '{"schema": "slurm2flyte-signoff/1", "entries": []}\n'
    )
    for command in own_commands(page):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=work,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={
                **os.environ,
                "PATH": f"{programs}:{os.environ['PATH']}",
                "HOME": str(tmp_path / "home"),
            },
        )
        # 1 says that there are findings; 2 that the command is wrong.
        assert done.returncode in (0, 1), f"{command}\n{done.stdout}{done.stderr}"
