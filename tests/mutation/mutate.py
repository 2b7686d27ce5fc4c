"""Writes a copy of the compiler in which each of its decisions can be made wrong by a switch.

python tests/mutation/mutate.py FOLDER [SHARE]   # FOLDER/src/..., tables.cpp, mutants.json, files

With a SHARE of 3, of a third of the sources only: those that the hashes of their names choose.

Two kinds. In the sources of the parts below, a condition is turned round, one term of it left out, a
number one off, an answer reversed, a statement skipped. In the tables of grammar/, a row is lost, a
choice is another one, a number is one off, a list lacks its first word. All of them are compiled at
once; the program asks the environment variable S2F_MUTANT for the number of the one that counts
(mutants.cpp). No other program holds anything of this.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grammar"))
import compile_tables as tables

PARTS = ["analysis", "flyte", "ir", "lower", "passes", "slurm"]
# Nothing is decided by these: words for people, and what only orders or explains.
WORDS = frozenset({"doc", "example", "title", "why", "says", "slurm", "output", "one", "many", "reason"})  # fmt: skip
WORDS_OF_FINDINGS = re.compile(
    r"\b(message|slurm_does|output_does|choices|comment|note)$"
)
BLOCK = 2000
OPENERS, CLOSERS = "([{", ")]}"
NOT_CALLS = frozenset(
    [
        "if",
        "for",
        "while",
        "switch",
        "return",
        "do",
        "else",
        "case",
        "default",
        "throw",
        "using",
        "namespace",
        "template",
        "struct",
        "class",
        "enum",
        "static_assert",
        "constexpr",
        "const",
        "auto",
        "static",
        "public",
        "private",
        "protected",
        "break",
        "continue",
        "goto",
        "try",
        "catch",
        "extern",
        "typedef",
        "friend",
        "delete",
        "new",
        "co_return",
        "std::terminate",
    ]
)


@dataclass(frozen=True)
class Mutant:
    """One wrong decision; its name stays when other lines change."""

    number: int
    name: str
    kind: str
    where: str
    was: str


class Numbers:
    """Gives mutants their numbers and names."""

    def __init__(self) -> None:
        self.last = 0
        self.all: list[Mutant] = []
        self.seen: Counter[str] = Counter()

    def add(self, part: str, kind: str, where: str, was: str) -> int:
        was = " ".join(was.split())
        short = hashlib.sha256(was.encode()).hexdigest()[:8]
        name = f"{part}:{kind}:{short}"
        self.seen[name] += 1
        if self.seen[name] > 1:
            name += f":{self.seen[name]}"
        self.last += 1
        self.all.append(Mutant(self.last, name, kind, where, was))
        return self.last

    def next_file(self) -> None:
        """Each file begins at a round number, so that an edit of one changes no other."""
        self.last += BLOCK - self.last % BLOCK


def blanked(text: str) -> str:
    """The text with its comments, strings and preprocessor lines as spaces, place for place."""
    pattern = re.compile(
        r'R"(?P<d>[^()\s\\]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
        r"|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*",
        re.DOTALL | re.MULTILINE,
    )
    return pattern.sub(lambda m: re.sub(r"[^\n]", "\x01" if m[0][0] in "\"'R" else " ", m[0]), text)  # fmt: skip


def closing(code: str, at: int) -> int:
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for place in range(at, len(code)):
        if code[place] in OPENERS:
            depth += 1
        elif code[place] in CLOSERS:
            depth -= 1
            if depth == 0:
                return place
    raise ValueError("unbalanced")


def at_top(code: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """The characters of a stretch that stand in no bracket."""
    depth = 0
    for place in range(start, end):
        if code[place] in OPENERS:
            depth += 1
        elif code[place] in CLOSERS:
            depth -= 1
        elif depth == 0:
            yield place, code[place]


Edit = tuple[int, int, str]  # at, order among edits there, what to put in


def condition_edits(
    code: str, start: int, end: int, part: str, line: str, text: str, numbers: Numbers
) -> Iterator[Edit]:
    tops = list(at_top(code, start, end))
    for place, char in tops:
        if char == ";":
            start = place + 1
    tops = [(place, char) for place, char in tops if place >= start]
    for place, char in tops:
        around = code[place - 1 : place + 2]
        if char == "=" and around[0] not in "=!<>" and around[2] != "=":
            return  # declares what it asks
    was = text[start:end]
    number = numbers.add(part, "not", line, was)
    yield start, 0, f"s2f::mutation::reversed({number}, static_cast<bool>("
    yield end, 9, "))"
    cuts = [
        place
        for place, char in tops
        if char in "&|"
        and code[place : place + 2] in ("&&", "||")
        and code[place - 1] == " "
    ]
    operators = {code[place : place + 2] for place in cuts}
    if len(operators) != 1 or any(char == "?" for _, char in tops):
        return
    neutral = "s2f::mutation::active({}) ||" if operators == {"&&"} else "!s2f::mutation::active({}) &&"  # fmt: skip
    edges = [start, *(place + 2 for place in cuts)], [*cuts, end]
    for first, last in zip(*edges, strict=True):
        number = numbers.add(part, "term", line, f"{text[first:last].strip()} in {was}")
        yield first, 1, f" ({neutral.format(number)} static_cast<bool>("
        yield last, 8, "))"


def in_blocks(code: str) -> list[bool]:
    """Of each place: is the bracket that it stands in a brace, or none?"""
    out, stack = [], []
    for char in code:
        out.append(not stack or stack[-1] == "{")
        if char in OPENERS:
            stack.append(char)
        elif char in CLOSERS:
            stack.pop()
    return out


def statement_end(code: str, start: int) -> int | None:
    depth = 0
    for place in range(start, len(code)):
        char = code[place]
        if char in OPENERS:
            depth += 1
        elif char in CLOSERS:
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0 and char == ";":
            return place + 1
        elif depth == 0 and char == ",":
            return None
    return None


HEAD = re.compile(
    r"(?<=[;{}])\s*(?P<head>[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*|\[[^\[\]]*\])*)"
    r"(?P<after>\(| (?:[+|]?=) )"
)


def edits(code: str, text: str, part: str, numbers: Numbers) -> Iterator[Edit]:
    def line(place: int) -> str:
        return f"src/{part}:{text.count(chr(10), 0, place) + 1}"

    for found in re.finditer(r"\bif \(", code):
        start = found.end()
        end = closing(code, start - 1)
        yield from condition_edits(code, start, end, part, line(start), text, numbers)
    for found in re.finditer(r"\breturn (true|false);", code):
        number = numbers.add(
            part, "answer", line(found.start()), surroundings(text, found.start())
        )
        yield found.start(1), 0, f"s2f::mutation::reversed({number}, "
        yield found.end(1), 0, ")"
    for found in re.finditer(r" ([+\-*]|[<>]=?|[!=]=) (\d{1,6})(?=[;),\s&|])", code):
        if "constexpr" in code[code.rfind("\n", 0, found.start()) : found.start()]:
            continue
        number = numbers.add(
            part, "number", line(found.start()), surroundings(text, found.start())
        )
        yield (
            found.start(2),
            0,
            f"(s2f::mutation::active({number}) ? {int(found[2]) + 1} : ",
        )
        yield found.end(2), 0, ")"
    blocks = in_blocks(code)
    for found in HEAD.finditer(code):
        head = found["head"]
        name = re.split(r"\.|->|::", head)[0]
        type_or_word = name in NOT_CALLS or head in NOT_CALLS or name[0].isupper()
        end = statement_end(code, found.start("head"))
        if (
            not blocks[found.start("head")]
            or type_or_word
            or end is None
            or WORDS_OF_FINDINGS.search(head)
        ):
            continue
        start = found.start("head")
        number = numbers.add(part, "skip", line(start), text[start:end])
        yield start, -1, f"if (!s2f::mutation::active({number})) {{ "
        yield end, 10, " }"


def surroundings(text: str, place: int) -> str:
    """The line that a place is on, with the one before it, which tells `return true` from others."""
    first = text.rfind("\n", 0, max(0, text.rfind("\n", 0, place))) + 1
    return text[first : text.find("\n", place)]


def mutated(text: str, part: str, numbers: Numbers) -> str:
    code = blanked(text)
    todo = sorted(edits(code, text, part, numbers), key=lambda edit: (edit[0], edit[1]))
    out, last = [], 0
    for place, _, what in todo:
        out += [text[last:place], what]
        last = place
    return "".join([*out, text[last:]])


def changed_values(field: tables.Field, value: object) -> Iterator[tuple[str, object]]:
    """Other values that a field of a row could have, by mistake."""
    if field.kind == "enum":
        choices = field.choices
        if value is not None:
            yield "choice", choices[(choices.index(str(value)) + 1) % len(choices)]
        if field.optional and value is not None:
            yield "absent", None
    elif field.kind == "bool":
        yield "flag", not value
    elif field.kind in ("int", "number") and value is not None:
        yield "number", value + 1  # type: ignore[operator]
    elif field.kind == "strings" and value:
        yield "word", value[1:]  # type: ignore[index]
    elif field.kind == "string" and value:
        yield "text", None if field.optional else f"{value}x"


def table_cases(numbers: Numbers) -> Iterator[str]:
    for path in sorted((ROOT / "grammar").glob("*.json")):
        table = tables.load_table(path)
        for index, row in enumerate(table.rows):
            key = [str(row.get(each)) for each in table.keys] or [
                str(next(iter(row.values())))
            ]
            where = f"grammar/{path.name}: {' '.join(key)}"
            for field in table.fields:
                name = tables.identifier(field.name)
                cell = f"cell(tables::{table.name}[{index}].{name})"
                value = row.get(field.name)
                if field.name in table.keys:
                    # The row stays in its place, so that a search among the others still works.
                    if field.kind == "string" and value and field.name == table.keys[0]:
                        number = numbers.add(
                            table.name, "row", where, f"{key} is there"
                        )
                        text = tables.literal(str(value) + "\x01")
                        yield f"case {number}: {cell} = {text}; break;"
                    continue
                if field.name in WORDS:
                    continue
                for kind, other in changed_values(field, value):
                    number = numbers.add(
                        table.name, kind, where, f"{key} {field.name}: {value}"
                    )
                    if field.kind == "strings":
                        yield f"case {number}: {cell} = {cell}.subspan(1); break;"
                    else:
                        text = tables.value_text(table, index, field, other)
                        if field.kind == "enum" and other is not None:
                            text = f"tables::{text}"
                        yield f"case {number}: {cell} = {text}; break;"


def main(folder: Path, share: int) -> None:
    numbers = Numbers()
    files = []
    for part in PARTS:
        for path in sorted((ROOT / "src" / part).glob("*.cpp")):
            name = path.relative_to(ROOT / "src").as_posix()
            numbers.next_file()
            if int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % share:
                continue
            text = mutated(path.read_text(), name, numbers)
            mark = f'#include "tests/mutation/mutation.hpp"\n#line 1 "{path}"\n'
            tables.write_if_changed(folder / "src" / name, mark + text)
            files.append(name)
    numbers.next_file()
    cases = list(table_cases(numbers))
    includes = [
        f'#include "generated/tables/{tables.identifier(path.stem)}.hpp"'
        for path in sorted((ROOT / "grammar").glob("*.json"))
    ]
    lines = [
        "// Makes one row of a table wrong. Generated by tests/mutation/mutate.py.",
        '#include "tests/mutation/mutation.hpp"',
        *includes,
        "namespace s2f::mutation {",
        f"const int mutants = {numbers.last};",
        "void change_table(int number) {",
        "  switch (number) {",
        *(f"  {each}" for each in cases),
        "  default: break;",
        "  }",
        "}",
        "} // namespace s2f::mutation",
        "",
    ]
    tables.write_if_changed(folder / "tables.cpp", "\n".join(lines))
    listed = [asdict(mutant) for mutant in numbers.all]
    tables.write_if_changed(folder / "mutants.json", json.dumps(listed, indent=0))
    tables.write_if_changed(folder / "files", "".join(f"{each}\n" for each in files))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
