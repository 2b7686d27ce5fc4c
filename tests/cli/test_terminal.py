"""On a terminal: colours, its width, the bar of a long conversion."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SCRIPT = """#!/bin/bash
#SBATCH --partition=a-partition-with-a-rather-long-name-that-nobody-shortened
#SBATCH --account=lab
#SBATCH --exclusive
python train.py --data /data/imagenet --epochs 90 --name a-long-name-of-a-run --out x
"""


def on_terminal(*arguments: str, cwd: Path, columns: int = 80, **variables: str) -> str:
    """What a terminal of so many columns is sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [BINARY, *arguments],
        cwd=cwd,
        stdout=theirs,
        stderr=theirs,
        stdin=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "TERM": "xterm", **variables},
    )
    os.close(theirs)
    sent = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        sent += part
    os.close(ours)
    process.wait(60)
    return sent.decode().replace("\r\n", "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.sh").write_text(SCRIPT)
    return tmp_path


def test_colour_by_the_terminal_and_what_the_user_asked_for(folder: Path) -> None:
    convert = ("convert", "train.sh", "--force")
    assert COLOUR.search(on_terminal(*convert, cwd=folder))
    assert not COLOUR.search(on_terminal(*convert, cwd=folder, NO_COLOR="1"))
    assert not COLOUR.search(on_terminal(*convert, cwd=folder, TERM="dumb"))
    both = {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}
    assert not COLOUR.search(on_terminal(*convert, cwd=folder, **both))


@pytest.mark.parametrize("columns", [50, 72, 100, 200])
def test_text_fits_the_width(columns: int, folder: Path) -> None:
    text = COLOUR.sub(
        "", on_terminal("convert", "train.sh", "--force", cwd=folder, columns=columns)
    )
    lines = text.split("\n")
    # Names, paths and commands are whole; everything that has blanks to break at fits.
    prose = [line for line in lines if line.startswith(("  ", "    =", "      "))]
    assert len(prose) > 10
    widest = min(columns, 110)
    long = [line for line in prose if len(line) > widest]
    assert all(len(line.split()) <= 4 or "flyte " in line for line in long), long
    if columns == 100:
        narrow = on_terminal("convert", "train.sh", "--force", cwd=folder, columns=50)
        assert len(narrow.split("\n")) > len(lines)


def test_excerpts_are_cut_around_the_caret(folder: Path) -> None:
    (folder / "b.sh").write_text(
        f"#!/bin/bash\n#SBATCH --mem=1G --comment={'x' * 300} --gpu-per-node=1\ntrue\n"
    )
    text = COLOUR.sub("", on_terminal("convert", "b.sh", cwd=folder, columns=60))
    excerpt = next(
        line for line in text.split("\n") if "--gpu-per-node" in line and "|" in line
    )
    assert len(excerpt) <= 60
    marks = text.split("\n")[text.split("\n").index(excerpt) + 1]
    assert excerpt[marks.index("^") :].startswith("--gpu-per-node")


def test_a_bar_for_many_scripts(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"job{number}.sh").write_text(SCRIPT)
    text = on_terminal("convert", ".", cwd=tmp_path)
    bars = re.findall(r"\r\[(#*)(\.*)\] (\d+)/60", text)
    assert len(bars) >= 2
    assert bars[-1][2] == "60" and not bars[-1][1]
    assert [int(b[2]) for b in bars] == sorted(int(b[2]) for b in bars)
    assert "\r[" not in on_terminal("convert", ".", "-q", cwd=tmp_path)
