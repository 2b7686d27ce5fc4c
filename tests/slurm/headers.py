"""Asks the header reader many questions at once, and compares its answers with Slurm's."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


def driver() -> Path | None:
    """The program of inspect_driver.cpp, which is built beside slurm2flyte."""
    binary = os.environ.get("S2F_BINARY")
    path = Path(binary).with_name("inspect_driver") if binary else None
    return path if path and path.exists() else None


def ask(requests: list[dict], program: Path) -> list[dict]:
    lines = "\n".join(json.dumps(request) for request in requests)
    done = subprocess.run(
        [program], input=lines.encode(), capture_output=True, check=True
    )
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def read_lines(name: str) -> list[dict]:
    with open(HERE / "cases" / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def spoken(message: str) -> str:
    """A line that sbatch prints, without who says it."""
    return re.sub(r"^sbatch: (?:(?:error|fatal): )?", "", message)


def says_the_same(ours: str, theirs: list[str]) -> bool:
    """Whether our reason for a refusal is what sbatch says, which may take it several lines."""
    lines = [spoken(line) for line in theirs]
    return ours in lines or ours in " ".join(lines)


def components(answer: dict) -> list[dict]:
    return answer["components"] or [answer]
