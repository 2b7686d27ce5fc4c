#!/usr/bin/env python3
"""Counts the comments of scripts that the review forgets, or says to stand where they do not.

    comments.py DIRECTORY [--binary FILE] [--limit N] [--show N]

A comment is accounted for when an item of the review speaks of it alone (or of the directive that it
stands on) and is right: what it cites, or calls kept, holds the comment's words; else it says why
the comment is gone. Comments are found by a reading of the script that shares no code with the
program. Scripts are found and converted as measure.py does.
"""

from __future__ import annotations

import collections
import concurrent.futures
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import measure

HEREDOC = re.compile(r"<<(-?)\s*(\\?)(['\"]?)([A-Za-z_][\w.]*)\3")

DIRECTIVE = re.compile(r"#(SBATCH|PBS|BSUB)\b")


@dataclass
class Comment:
    line: int
    text: str  # without what only draws: "" for a line of dashes


def words(text: str) -> str:
    """The letters and digits of a text, one blank between what they were apart."""
    return " ".join(re.findall(r"[^\W_]+", text))


def comments_of(script: str) -> Iterator[Comment]:
    """Those outside quotes and heredocs; what stands in ${ }, $(( )) and [[ ]] is no comment."""
    quote = ""
    waiting: list[tuple[str, bool]] = []
    for number, line in enumerate(script.split("\n"), 1):
        if waiting and not quote:
            end, tabs = waiting[0]
            if (line.lstrip("\t") if tabs else line).rstrip("\r") == end:
                waiting.pop(0)
            continue
        at = 0
        while at < len(line):
            c = line[at]
            if quote:
                if c == "\\" and quote == '"':
                    at += 1
                elif c == quote:
                    quote = ""
            elif c == "\\":
                at += 1
            elif c in "'\"`":
                quote = "" if c == "`" else c
            elif c == "#" and (at == 0 or line[at - 1] in " \t;&|()"):
                if DIRECTIVE.match(line) and at == 0:
                    break
                yield Comment(number, words(line[at:]))
                break
            elif line.startswith("<<", at) and not line.startswith("<<<", at):
                if found := HEREDOC.match(line, at):
                    waiting.append((found[4], bool(found[1])))
                    at = found.end() - 1
            elif line.startswith("<<<", at):
                at += 2
            at += 1


def lost(review: dict[str, Any], script: str, module: str) -> list[tuple[str, Comment]]:
    """The comments of one input that nothing, or something wrong, is said of."""
    below = module.split("\n")
    text = words(module)
    found = []
    items = collections.defaultdict(list)
    for item in review["items"]:
        for line in range(item["line"], item["end_line"] + 1):
            items[line].append(item)
    for comment in comments_of(script):
        if not comment.text or comment.line == 1:
            continue
        whole = [i for i in items[comment.line] if i["disposition"] == "kept"]
        own = [
            i
            for i in items[comment.line]
            if i["line"] == i["end_line"]
            and comment.text in words(i["text"])
            # Of a statement on its line only that which has no text of its own.
            and ("#" in i["text"])
        ]
        if review["verdict"] == "not_converted" and (own or whole):
            continue
        if not own:
            # A file in another language, or one whose text is all in the module.
            if whole and (
                comment.text in text or any("the file" in i["why"] for i in whole)
            ):
                continue
            found.append(("no item", comment))
            continue
        item = own[0]
        cited = words("\n".join(below[n - 1] for n in item["output_lines"]))
        # A driver that runs as it was has `submit` where sbatch stood.
        stands = re.sub(r"\bsbatch\b", "submit", comment.text)
        if item["disposition"] == "kept" and not (
            comment.text in text or stands in text
        ):
            if "the file" not in item["why"]:
                found.append(("kept, but not in the module", comment))
        elif item["disposition"] == "comment" and item["output_lines"]:
            if comment.text not in cited:
                found.append(("cited, but not on that line", comment))
        elif item["why"] in ("", "a comment", "a comment on the statement before it"):
            found.append(("said to stand in the module, which it does not", comment))
    return found


def main() -> int:
    arguments, found = measure.sample(
        "Count the comments of scripts that are not accounted for.", 3
    )
    kinds: Counter[str] = Counter()
    whys: Counter[str] = Counter()
    examples: dict[str, list[str]] = collections.defaultdict(list)
    total = 0
    with tempfile.TemporaryDirectory(prefix="comments-") as top:

        def one(number: int, script: Path) -> tuple[Path, Any]:
            folder = Path(top) / str(number)
            folder.mkdir()
            outcome = measure.convert(arguments.binary, script, folder)
            if not outcome.inputs:
                return script, None
            module = folder / "script_flyte.py"
            text = script.read_text(errors="replace")
            told = lost(
                outcome.inputs[0], text, module.read_text() if module.exists() else ""
            )
            gone = [
                re.sub(r"\d+", "N", item["why"])
                for item in outcome.inputs[0]["items"]
                if item["disposition"] in ("comment", "dropped")
                and item["text"].startswith("#")
                and not item["output_lines"]
            ]
            return script, (sum(1 for c in comments_of(text) if c.text), told, gone)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for script, account in pool.map(one, range(len(found)), found):
                if account is None:
                    continue
                count, told, gone = account
                total += count
                whys.update(gone)
                for kind, comment in told:
                    kinds[kind] += 1
                    examples[kind].append(
                        f"{script}:{comment.line}: {comment.text[:90]}"
                    )
    print(
        f"{total} comments of {len(found)} scripts; {sum(kinds.values())} are not accounted for"
    )
    for kind, number in kinds.most_common():
        print(f"  {number:6}  {kind}")
        for example in examples[kind][: arguments.show]:
            print(f"          {example}")
    print(f"{sum(whys.values())} are gone, and the review says why:")
    for why, number in whys.most_common(25):
        print(f"  {number:6}  {why}")
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main())
