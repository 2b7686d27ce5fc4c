"""Compares what the compiler reads of random argparse programs with what argparse itself says."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from argparse_programs import Maker, Program, truths  # pyright: ignore[reportMissingImports]

SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))
SEEDS = range(3000 if SLOW else 300)


def driver() -> Path | None:
    binary = os.environ.get("S2F_BINARY")
    path = Path(binary).with_name("payload_driver") if binary else None
    return path if path and path.exists() else None


def expected(action: dict, types: dict[tuple[str, str], str]) -> dict:
    """An action of argparse in the words of the compiler."""
    nargs = action["nargs"]
    positional = action["positional"]
    is_commands = action["kind"] == "_SubParsersAction"
    required = action["required"]
    if positional and not is_commands:
        # Newer versions of argparse say this too of a positional with nargs="*" and no default.
        required = nargs not in ("?", "*")
    repeated = action["kind"] in ("_AppendAction", "_CountAction")
    return {
        "command": action["command"],
        "flags": action["flags"],
        "dest": action["dest"],
        "positional": positional,
        "type": "text"
        if is_commands
        else types[(action["command"], action["flags"][0])],
        "default": ast.literal_eval(action["default"]),
        "choices": action["choices"] or [],
        "required": required,
        "multiple": repeated
        or (not is_commands and nargs in ("*", "+"))
        or (isinstance(nargs, int) and nargs > 0),
        "value_optional": nargs == "?" and not action["kind"].startswith("Boolean"),
        # BooleanOptionalAction adds this to the help in some versions.
        "help": action["help"].removesuffix(" (default: %(default)s)"),
    }


def told(option: dict) -> dict:
    """An option as the compiler dumps it, with its default as a value."""
    default = option["default"]
    out = {
        name: option[name]
        for name in option
        if name not in ("default_text", "default_computed")
    }
    out["default"] = None if default is None else evaluated(default)
    return out


def evaluated(text: str) -> object:
    return eval(text, {"__builtins__": {}})


def by_place(options: list[dict]) -> list[dict]:
    return sorted(options, key=lambda o: (o["command"], o["flags"]))


@pytest.mark.skipif(driver() is None, reason="payload_driver is not built")
def test_random_programs(tmp_path: Path) -> None:
    programs: list[Program] = [Maker(seed).make() for seed in SEEDS]
    known = truths(tmp_path, programs)
    paths = [str(tmp_path / f"program{number}.py") for number in range(len(programs))]
    done = subprocess.run(
        [str(driver()), *paths], capture_output=True, text=True, check=True
    )
    compared = 0
    for seed, program, actions, facts in zip(
        SEEDS, programs, known, json.loads(done.stdout), strict=True
    ):
        assert facts["parsed"], program.text()
        want = by_place([expected(action, program.types) for action in actions])
        have = by_place([told(option) for option in facts["options"]])
        assert len(want) == len(have), f"seed {seed}\n{program.text()}"
        for wanted, option in zip(want, have, strict=True):
            assert option == wanted, f"seed {seed}\n{program.text()}"
            compared += 1
    assert compared > 3 * len(programs)
