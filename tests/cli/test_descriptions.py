"""Completions and manual pages: what shells and man make of them, and that they tell all that --help does."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def said(*arguments: str) -> str:
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, timeout=30, check=True
    ).stdout


COMMANDS = said("man", "--list").split()


def options_in_help(command: str) -> set[str]:
    return set(re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+)", said(command, "--help")))


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completions")
    (folder / "slurm2flyte.bash").write_text(said("completions", "bash"))
    (folder / "_slurm2flyte").write_text(said("completions", "zsh"))
    (folder / "slurm2flyte.fish").write_text(said("completions", "fish"))
    work = folder / "work"
    (work / "jobs").mkdir(parents=True)
    (work / "train.sh").write_text("")
    (work / "two words.sh").write_text("")
    return folder


def in_bash(scripts: Path, *words: str) -> list[str]:
    """What bash offers for the last of the words, as Readline would have split them."""
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _slurm2flyte; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        [
            "bash",
            "-uc",
            program,
            "bash",
            scripts / "slurm2flyte.bash",
            "slurm2flyte",
            *words,
        ],
        cwd=scripts / "work",
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert not done.stderr
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def test_bash_knows_the_commands(scripts: Path) -> None:
    assert set(COMMANDS) <= set(in_bash(scripts, ""))
    assert in_bash(scripts, "conv") == ["convert"]
    assert "--version" in in_bash(scripts, "--v")


@pytest.mark.parametrize("command", COMMANDS)
def test_bash_knows_the_options(scripts: Path, command: str) -> None:
    assert options_in_help(command) <= set(in_bash(scripts, command, "-"))


def test_bash_knows_values(scripts: Path) -> None:
    assert in_bash(scripts, "convert", "--fail-on", "d") == ["decision"]
    assert in_bash(scripts, "convert", "--fail-on", "=", "n") == ["never"]
    assert len(in_bash(scripts, "convert", "--fail-on", "=")) == 4
    assert in_bash(scripts, "explain", "S2F21") and "S2F210" in in_bash(
        scripts, "explain", ""
    )
    assert "gres" in in_bash(scripts, "options", "gr")
    assert in_bash(scripts, "convert", "--out-dir", "") == ["jobs"]
    assert in_bash(scripts, "completions", "") == ["bash", "zsh", "fish"]


def test_bash_knows_places(scripts: Path) -> None:
    assert sorted(in_bash(scripts, "convert", "t")) == ["train.sh", "two words.sh"]
    assert in_bash(scripts, "signoff", "a") == ["accept"]
    assert in_bash(scripts, "signoff", "accept", "tr") == ["train.sh"]
    assert in_bash(scripts, "signoff", "--who", "ada", "acc") == ["accept"]
    assert in_bash(scripts, "signoff", "--who", "=", "ada", "acc") == ["accept"]
    assert in_bash(scripts, "signoff", "accept", "--id", "x", "tr") == ["train.sh"]


def test_bash_offers_nothing_where_any_text_will_do(scripts: Path) -> None:
    assert in_bash(scripts, "convert", "--cluster", "") == []
    assert in_bash(scripts, "nothing", "") == []


@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh")
def test_zsh_takes_it(scripts: Path) -> None:
    program = f"""
        fpath=({scripts} $fpath)
        autoload -Uz compinit && compinit -u -D -d {scripts}/dump
        autoload +X _slurm2flyte
        print -l ${{(k)functions[(I)_slurm2flyte]}} ${{_comps[slurm2flyte]}}
    """
    done = subprocess.run(
        ["zsh", "-fc", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["_slurm2flyte", "_slurm2flyte"], done.stderr
    assert not done.stderr
    text = (scripts / "_slurm2flyte").read_text()
    for command in COMMANDS:
        assert f"        {command})\n" in text
        for option in options_in_help(command):
            assert f"{option}[" in text


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
def test_fish_completes(scripts: Path) -> None:
    def offered(line: str) -> set[str]:
        done = subprocess.run(
            [
                "fish",
                "--no-config",
                "-c",
                f"source {scripts}/slurm2flyte.fish; complete -C '{line}'",
            ],
            cwd=scripts / "work",
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={**os.environ, "HOME": str(scripts), "XDG_CONFIG_HOME": str(scripts)},
        )
        return {each.split("\t")[0] for each in done.stdout.splitlines()}

    assert set(COMMANDS) <= offered("slurm2flyte ")
    assert offered("slurm2flyte convert --fail-on d") == {"decision"}
    assert options_in_help("convert") <= offered("slurm2flyte convert --")
    assert "train.sh" in offered("slurm2flyte convert tr")
    assert "S2F210" in offered("slurm2flyte explain S2F2")


def test_an_unknown_shell_is_told_which_there_are() -> None:
    done = subprocess.run(
        [BINARY, "completions", "cmd"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert "bash, zsh and fish" in done.stderr


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_manual_pages(command: str) -> None:
    page = said("man", *([command] if command else []))
    for option in options_in_help(command) if command else {"--version"}:
        assert option.replace("-", "\\-") in page, option
    if not shutil.which("groff"):
        pytest.skip("needs groff")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbou"],
        input=page,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert not done.stderr, done.stderr
    assert re.search(r"(?m)^NAME$", done.stdout) and re.search(
        r"(?m)^OPTIONS$", done.stdout
    )


def test_the_manual_has_the_sections_of_the_help() -> None:
    page = said("man", "convert")
    for section in (
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "EXAMPLES",
        "EXIT STATUS",
    ):
        assert f".SH {section}\n" in page
    assert ".SH ENVIRONMENT\n" in said("man")


def test_licences_are_those_of_notice() -> None:
    assert said("--licenses") == (ROOT / "NOTICE").read_text()


def test_variables_stand_for_options(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text("#!/bin/bash\n#SBATCH -p gpu\nhostname\n")
    (tmp_path / "site.toml").write_text('[partitions.gpu]\nqueue = "from-site"\n')

    def convert(*more: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [BINARY, "convert", "train.sh", "-o", "-", *more],
            cwd=tmp_path,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    assert 'queue="from-site"' in convert(SLURM2FLYTE_CONFIG="site.toml").stdout
    assert 'queue="gpu"' in convert(SLURM2FLYTE_CONFIG="").stdout
    assert convert(SLURM2FLYTE_FAIL_ON="decision").returncode == 1
    assert convert("--fail-on", "error", SLURM2FLYTE_FAIL_ON="decision").returncode == 0
    wrong = convert(SLURM2FLYTE_FAIL_ON="nothing")
    assert wrong.returncode == 2 and "nothing" in wrong.stderr
    assert convert(SLURM2FLYTE_CONFIG="none.toml").returncode == 2


def test_verbose_tells_what_the_summary_counts(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text("#!/bin/bash\nhostname\n")

    def convert(*more: str) -> str:
        return subprocess.run(
            [BINARY, "convert", "train.sh", *more],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        ).stdout

    assert "S2F203" not in convert()
    assert "note[S2F203]" in convert("--verbose")
    assert convert("--quiet") == ""
