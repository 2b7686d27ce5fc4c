"""Random modules: ruff leaves them alone, and Python reads in them what was meant."""

import ast
import os
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUFF = ROOT / ".venv/bin/ruff"
COUNT = 3000 if os.environ.get("S2F_SLOW_TESTS") else 200

# Rules about what a program means, which random expressions break all the time.
IGNORED = [
    "B002",
    "B012",
    "B015",
    "B018",
    "B020",
    "B021",
    "BLE001",
    "F507",
    "F601",
    "F602",
    "F632",
    "F634",
    "F811",
    "F841",
    "PIE790",
    "PIE800",
    "PIE804",
    "PLR0124",
    "PLR0133",
    "PLR1704",
    "PLR1711",
    "RUF013",
    "RUF015",
    "RUF016",
    "RUF034",
    "RUF059",
    "S110",
    "SIM102",
    "SIM107",
    "SIM114",
    "SIM117",
    "SIM201",
    "SIM202",
    "SIM208",
    "SIM210",
    "SIM211",
    "SIM220",
    "SIM221",
    "SIM222",
    "SIM223",
    "UP031",
    "UP034",
]


@pytest.fixture(scope="module")
def modules(generate: Callable[[str, int], Path]) -> Path:
    return generate("write random modules", COUNT)


def ruff(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RUFF, *arguments], capture_output=True, text=True, check=False
    )


def test_ruff_format_changes_nothing(modules: Path) -> None:
    done = ruff("format", "--isolated", "--no-cache", "--diff", modules)
    assert done.returncode == 0, done.stdout[:5000] + done.stderr[:1000]


def test_ruff_check_finds_nothing(modules: Path) -> None:
    ignore = ",".join(IGNORED)
    done = ruff(
        "check",
        "--isolated",
        "--no-cache",
        # A folder that happens to be called flyte beside the modules makes it first-party.
        "--config=lint.isort.known-third-party = ['flyte', 'flyteplugins']",
        "--output-format=concise",
        "--ignore",
        ignore,
        modules,
    )
    assert done.returncode == 0, done.stdout[:5000]


class Flat(ast.NodeTransformer):
    """Makes what means the same the same: `a and (b and c)`, `f"x"`."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        if all(isinstance(value, ast.Constant) for value in node.values):
            return ast.Constant("".join(value.value for value in node.values))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        values: list[ast.expr] = []
        for value in node.values:
            same = isinstance(value, ast.BoolOp) and type(value.op) is type(node.op)
            values += value.values if same else [value]
        return ast.BoolOp(node.op, values)


def bodies(source: str) -> dict[str, str]:
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `1 is x`, `"a"(b)`
        tree = Flat().visit(ast.parse(source))
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef) and node.name.startswith("task_"):
            # The emitted ones have parameters, and a docstring.
            # The emitted ones have parameters, and a docstring.
            body = node.body[1:] if node.args.args else node.body
            dumped = [ast.dump(each) for each in body if not isinstance(each, ast.Pass)]
            found[node.name] = "\n".join(dumped)
    return found


def test_python_reads_what_was_meant(modules: Path) -> None:
    for plain in sorted(modules.glob("*.plain")):
        meant = bodies(plain.read_text())
        assert bodies(plain.with_suffix(".py").read_text()) == meant, plain.stem
