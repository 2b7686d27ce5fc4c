"""Makes random argparse programs, and asks Python's own argparse what they declare."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

WORDS = [
    "lr",
    "epochs",
    "num-shards",
    "out_dir",
    "data",
    "ckpt",
    "seed",
    "wd",
    "batch-size",
    "name",
    "x",
    "in",
]
STRINGS = ["adam", "it's", 'say "a"', "a\\b", "tab\there", "", "café", "x y", "%d"]

HEAD = {
    "import argparse": ("argparse.ArgumentParser", "argparse."),
    "import argparse as ap": ("ap.ArgumentParser", "ap."),
    "import argparse, sys": ("argparse.ArgumentParser", "argparse."),
    "from argparse import *": ("ArgumentParser", ""),
}

CONVERTERS = '''
from pathlib import Path

def str2bool(v):
    if isinstance(v, bool):
        return v
    return v.lower() in ("yes", "true", "1")

def positive(text):
    """Only numbers above zero."""
    number = int(text)
    if number <= 0:
        raise ValueError(text)
    return number

def fraction(text) -> float:
    return max(0, float(text))
'''

# How a converter is written, and what it gives.
TYPES = {
    "int": "integer",
    "float": "real",
    "str": "text",
    "Path": "path",
    "str2bool": "boolean_value",
    "positive": "integer",
    "fraction": "real",
    "lambda s: s.lower() == 'true'": "boolean_value",
    "lambda s: Path(s)": "path",
}

# What stands after a program to tell what its parser knows.
EPILOGUE = """
def describe(parser, command=""):
    out = []
    for action in parser._actions:
        kind = type(action).__name__
        if kind == "_HelpAction":
            continue
        out.append({
            "command": command,
            "kind": kind,
            "flags": list(action.option_strings) or [action.dest],
            "dest": action.dest,
            "positional": not action.option_strings,
            "nargs": action.nargs,
            "default": repr(action.default),
            "choices": None if action.choices is None else [str(c) for c in action.choices],
            "required": action.required,
            "help": action.help or "",
        })
        if kind == "_SubParsersAction":
            for name, sub in action.choices.items():
                out += describe(sub, (command + " " + name).strip())
    return out
"""


@dataclass
class Program:
    lines: list[str]
    types: dict[tuple[str, str], str] = field(default_factory=dict)

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Maker:
    """Writes one program; the same seed always writes the same one."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.program = Program([])
        self.constants = 0

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def string(self, text: str) -> str:
        """The text as one of the literals that Python has for it."""
        forms = [repr(text), json.dumps(text, ensure_ascii=self.chance(0.5))]
        if "\\" in text and '"' not in text:
            forms.append(f'r"{text}"')
        if len(text) > 2:
            forms.append(f"{text[:2]!r} {text[2:]!r}")
            forms.append(f"({text[:2]!r}\n    {text[2:]!r})")
            forms.append(f"{text[:2]!r} + {text[2:]!r}")
        if not any(c in text for c in "\\\"'{}\t"):
            forms.append(f'"""{text}"""')
            forms.append(f'f"{text}"')
        return self.random.choice(forms)

    def literal(self) -> str:
        pick = self.random.randrange(9)
        if pick == 0:
            return str(self.random.randrange(-5, 2000))
        if pick == 1:
            return self.random.choice(
                ["1e-3", "0.5", "-.25", "3E4", "1_000", "0x1f", "2 ** 10"]
            )
        if pick == 2:
            return self.random.choice(["None", "True", "False"])
        if pick == 3:
            items = ", ".join(
                self.literal_scalar() for _ in range(self.random.randrange(3))
            )
            return f"[{items}]"
        if pick == 4:
            return f"({self.literal_scalar()}, {self.literal_scalar()},)"
        return self.string(self.random.choice(STRINGS))

    def literal_scalar(self) -> str:
        return self.random.choice(["1", "2.5", "-3", "'a'", '"b"', "None", "True"])

    def maybe_constant(self, literal: str) -> str:
        if not self.chance(0.2):
            return literal
        self.constants += 1
        name = f"CONSTANT_{self.constants}"
        self.program.lines.insert(1, f"{name} = {literal}")
        return name

    def flags(self, taken: set[str]) -> tuple[list[str], bool] | None:
        word = self.random.choice(WORDS)
        if word in taken:
            return None
        taken.add(word)
        if self.chance(0.25):
            return [word], True
        flags = [f"--{word}"]
        letter = word[0]
        if self.chance(0.3) and letter not in taken:
            taken.add(letter)
            flags.insert(self.random.randrange(2), f"-{letter}")
        if self.chance(0.1):
            flags.append(f"--{word}-too")
        return flags, False

    def keywords(
        self, positional: bool, prefix: str, key: tuple[str, str]
    ) -> dict[str, str]:
        out: dict[str, str] = {}
        kinds = ["store"] * 6
        if not positional:
            kinds += ["true", "false", "optional", "count", "append", "const"]
        kind = self.random.choice(kinds)
        takes_value = kind in ("store", "append")
        if kind == "true":
            out["action"] = self.string("store_true")
        elif kind == "false":
            out["action"] = '"store_false"'
        elif kind == "optional":
            out["action"] = f"{prefix}BooleanOptionalAction"
        elif kind == "count":
            out["action"] = '"count"'
        elif kind == "append":
            out["action"] = '"append"'
        elif kind == "const":
            out["action"] = '"store_const"'
            out["const"] = "3"
        if takes_value:
            self.program.types[key] = "text"
            if self.chance(0.6):
                out["type"] = self.random.choice(list(TYPES))
                self.program.types[key] = TYPES[out["type"]]
            if self.chance(0.3):
                out["nargs"] = self.random.choice(["'?'", "'*'", '"+"', "2", "1"])
            if self.chance(0.2):
                items = ", ".join(
                    self.string(s) for s in self.random.sample(STRINGS, 3)
                )
                form = self.random.choice(["[{}]", "({})"])
                out["choices"] = self.maybe_constant(form.format(items))
        else:
            self.program.types[key] = "boolean_flag"
        if self.chance(0.5):
            out["default"] = self.maybe_constant(self.literal())
        if not positional and self.chance(0.2):
            out["required"] = self.random.choice(["True", "False"])
        if not positional and self.chance(0.2):
            out["dest"] = self.string("dest_" + key[1].strip("-").replace("-", "_"))
        if self.chance(0.4):
            out["help"] = self.string(
                self.random.choice(["what it is", "a (b), c", ""])
            )
        return out

    def add_arguments(
        self, parser: str, prefix: str, command: str, indent: str
    ) -> None:
        taken: set[str] = {"h"}
        holders = [parser]
        for _ in range(self.random.randrange(1, 9)):
            made = self.flags(taken)
            if made is None:
                continue
            flags, positional = made
            if self.chance(0.15):
                group = f"group{len(self.program.lines)}"
                self.program.lines.append(
                    f"{indent}{group} = {parser}.add_argument_group('g')"
                )
                holders.append(group)
            keywords = self.keywords(positional, prefix, (command, flags[0]))
            parts = [self.string(flag) for flag in flags]
            order = list(keywords.items())
            self.random.shuffle(order)
            parts += [f"{name}={value}" for name, value in order]
            separator = self.random.choice(
                [", ", ",\n" + indent + "    ", ", # c)\n" + indent]
            )
            holder = self.random.choice(holders)
            end = ",)" if self.chance(0.2) else ")"
            self.program.lines.append(
                f"{indent}{holder}.add_argument({separator.join(parts)}{end}"
            )

    def make(self) -> Program:
        head, (parser_class, prefix) = self.random.choice(list(HEAD.items()))
        lines = self.program.lines
        lines += [head, *CONVERTERS.splitlines()]
        in_function = self.chance(0.4)
        indent = "    " if in_function else ""
        name = self.random.choice(["parser", "p", "ap_", "cli"])
        if in_function:
            lines.append("def build():")
        lines.append(f"{indent}{name} = {parser_class}(description='d')")
        self.add_arguments(name, prefix, "", indent)
        if self.chance(0.3):
            # Given a prog, argparse need not format the usage, which odd choices make it fail at.
            lines.append(
                f"{indent}sub = {name}.add_subparsers(dest='cmd', required=True, prog='x')"
            )
            for command in self.random.sample(["train", "eval", "prep"], 2):
                lines.append(f"{indent}{command}_ = sub.add_parser({command!r})")
                self.add_arguments(f"{command}_", prefix, command, indent)
        if in_function:
            lines += [f"    return {name}", "the_parser = build()"]
        else:
            lines.append(f"the_parser = {name}")
        return self.program


def truths(folder: Path, programs: list[Program]) -> list[list[dict[str, object]]]:
    """What argparse itself knows of each program, all run in one other process."""
    paths = []
    for number, program in enumerate(programs):
        path = folder / f"program{number}.py"
        path.write_text(program.text(), encoding="utf-8")
        paths.append(str(path))
    runner = (
        "import json, runpy, sys\n"
        + EPILOGUE
        + "print(json.dumps([describe(runpy.run_path(p)['the_parser']) for p in sys.argv[1:]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", runner, *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
