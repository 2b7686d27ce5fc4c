#!/usr/bin/env python3
"""Counts what the reviews of scripts call converted, and what of it stands in no line of a module.

    accounted.py DIRECTORY [--binary FILE] [--limit N] [--show N]

A line of the module that is empty, or a comment, holds nothing. Scripts are found and converted as
measure.py does.
"""

import collections
import concurrent.futures
import io
import os
import re
import sys
import tempfile
import tokenize
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import measure

NOTHING = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


def lines_with_code(module: str) -> set[int]:
    """The numbers of the lines that hold more than a comment."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module).readline):
        if token.type not in NOTHING:
            found.update(range(token.start[0], token.end[0] + 1))
    return found


@dataclass
class Lost:
    line: int
    text: str
    why: str


@dataclass
class Account:
    converted: int = 0
    lost: list[Lost] = field(default_factory=list)


def account_of(review: dict[str, Any], module: str) -> Account:
    """Of one input of a review, and the text of the module that it became."""
    code = lines_with_code(module)
    account = Account()
    for item in review["items"]:
        if item["disposition"] != "converted":
            continue
        account.converted += 1
        if not code.intersection(item["output_lines"]):
            account.lost.append(Lost(item["line"], item["text"], item["why"]))
    return account


def main() -> int:
    arguments, found = measure.sample(
        "Count what is called converted and stands nowhere.", 3
    )
    kinds: Counter[str] = Counter()
    examples: dict[str, list[str]] = collections.defaultdict(list)
    converted = modules = 0
    with tempfile.TemporaryDirectory(prefix="accounted-") as top:

        def one(number: int, script: Path) -> tuple[Path, Account | None]:
            folder = Path(top) / str(number)
            folder.mkdir()
            outcome = measure.convert(arguments.binary, script, folder)
            module = folder / "script_flyte.py"
            if not outcome.inputs or not module.exists():
                return script, None
            return script, account_of(outcome.inputs[0], module.read_text())

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for script, account in pool.map(one, range(len(found)), found):
                if account is None:
                    continue
                modules += 1
                converted += account.converted
                for lost in account.lost:
                    kind = re.sub(r"\d+", "N", lost.why)
                    kinds[kind] += 1
                    examples[kind].append(f"{script}:{lost.line}: {lost.text[:90]}")
    print(f"{modules} modules of {len(found)} scripts; {converted} items are converted")
    print(f"{sum(kinds.values())} of them stand in no line of the module")
    for kind, count in kinds.most_common():
        print(f"  {count:6}  {kind}")
        for example in examples[kind][: arguments.show]:
            print(f"          {example}")
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main())
