#!/usr/bin/env python3
"""Asks Bash whether it can read the text that modules keep, where it could read the script.

    kept_text.py DIRECTORY [--binary FILE] [--limit N] [--show N]

`bash -n` reads a text and runs nothing of it. Scripts are found and converted as measure.py does.
"""

import ast
import concurrent.futures
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import measure

RUNS_TEXT = {"bash", "bash_values", "submissions"}


def constants(module: ast.Module) -> dict[str, str]:
    """The texts that stand in the module under a name."""
    return {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def kept_texts(module: str) -> Iterator[str]:
    """The texts that a module hands to Bash; not those of another shell."""
    tree = ast.parse(module)
    named = constants(tree)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in RUNS_TEXT
            and node.args
            and isinstance(node.args[0], ast.Name)
            and node.args[0].id in named
            and not any(each.arg == "interpreter" for each in node.keywords)
        ):
            yield named[node.args[0].id]


def refusal(text: str) -> str | None:
    """What Bash says of a text that it cannot read."""
    done = subprocess.run(
        ["bash", "-n"],
        input=text.encode(errors="surrogateescape"),
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode(errors="replace").strip()
    return said.splitlines()[0] if done.returncode and said else None


def refused(script: str, module: str) -> list[str]:
    """What Bash says of the kept texts of a script that it can read itself."""
    lines = {line.replace("\\", "").strip() for line in script.splitlines()}
    found = [
        said
        for text in kept_texts(module)
        if (said := refusal(text)) and not own_fault(text, lines)
    ]
    return found if found and refusal(script) is None else []


def own_fault(text: str, lines: set[str]) -> bool:
    """Whether all lines of it are the script's own: a document of it may be no Bash."""
    written = [line for line in text.splitlines() if not line.startswith("declare +x")]
    return all(line.replace("\\", "").strip() in lines for line in written)


def main() -> int:
    arguments, found = measure.sample("Count kept texts that Bash cannot read.", 20)
    texts = 0
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kept-text-") as top:

        def one(number: int, script: Path) -> tuple[Path, int, list[str]]:
            folder = Path(top) / str(number)
            folder.mkdir()
            outcome = measure.convert(arguments.binary, script, folder)
            module = folder / "script_flyte.py"
            if not outcome.inputs or not module.exists():
                return script, 0, []
            written = module.read_text()
            body = script.read_text(errors="surrogateescape")
            return script, len(list(kept_texts(written))), refused(body, written)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for script, count, said in pool.map(one, range(len(found)), found):
                texts += count
                wrong += [f"{script}: {each}" for each in said]
    print(f"{texts} kept texts of {len(found)} scripts; Bash cannot read {len(wrong)}")
    for each in wrong[: arguments.show]:
        print(f"  {each}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
