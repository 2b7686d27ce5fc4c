"""Compiles the JSON tables, the templates and the rule pages into C++ constants at build time.

A table is one JSON file, grammar/some-name.json:

    {"table": "some-name", "doc": "One sentence.", "key": "name", "sorted": true,
     "fields": {"name": "string", "kind": "enum:flag|value"},
     "rows": [{"name": "array", "kind": "value"}]}

It becomes generated/tables/some_name.hpp with `struct SomeNameRow`, the array `some_name` and, where
the table is sorted by one string key, `find_some_name(key)`, all in the namespace s2f::tables.

Field types: string, int, number, bool, strings and enum:A|B|C; with a ? after the type's name
(string?, int?, enum?:A|B) a row may leave the field out. "key" names the field that must be unique,
or is a list of fields that must be unique together. "sorted" asks that the rows are in its order.
A field or an enumerator that is a C++ keyword gets an underscore: `long` becomes `long_`.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

CPP_KEYWORDS = """
    alignas alignof and asm auto bool break case catch char class concept const consteval
    constexpr constinit continue decltype default delete do double else enum explicit export extern
    false float for friend goto if inline int long mutable namespace new noexcept not nullptr
    operator or private protected public register requires return short signed sizeof static
    static_assert struct switch template this thread_local throw true try typedef typeid typename
    union unsigned using virtual void volatile wchar_t while xor
"""
KEYWORDS = frozenset(CPP_KEYWORDS.split())
SCALARS = {
    "string": (str, "std::string_view"),
    "int": (int, "std::int64_t"),
    "number": (float, "double"),
    "bool": (bool, "bool"),
}
TOP_LEVEL = {"table", "doc", "key", "sorted", "fields", "rows"}


class TableError(Exception):
    """A table breaks a rule; the message names the file and, where there is one, the row."""


def identifier(text: str) -> str:
    """The C++ name for a JSON name."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    if not name or name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if name in KEYWORDS else name


def camel(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]", text))


def literal(text: str) -> str:
    """A C++ string literal that is `text` byte for byte."""
    out = []
    for byte in text.encode():
        char = chr(byte)
        if char == "\n":
            out.append("\\n")
        elif char in '"\\?':
            out.append("\\" + char)
        elif 0x20 <= byte < 0x7F:
            out.append(char)
        else:
            # Octal, for it ends after three digits: a hexadecimal escape would swallow an `a`
            # that follows.
            out.append(f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


def view(text: str) -> str:
    """An expression of type std::string_view; a NUL inside needs the length."""
    if "\0" in text:
        return f"std::string_view{{{literal(text)}, {len(text.encode())}}}"
    return literal(text)


@dataclass(frozen=True)
class Field:
    name: str
    kind: str
    optional: bool
    choices: tuple[str, ...]

    def cpp_type(self, table: str) -> str:
        if self.kind == "strings":
            return "std::span<const std::string_view>"
        if self.kind == "enum":
            bare = camel(table) + camel(self.name)
        else:
            bare = SCALARS[self.kind][1]
        return f"std::optional<{bare}>" if self.optional else bare


def parse_field(where: str, name: str, spec: object) -> Field:
    if not re.fullmatch(r"[A-Za-z_]\w*", name, flags=re.ASCII):
        raise TableError(f"{where}: the field name {name!r} is not an identifier")
    if not isinstance(spec, str):
        raise TableError(f"{where}: the type of field {name!r} must be a string")
    head, colon, tail = spec.partition(":")
    optional = head.endswith("?")
    kind = head.removesuffix("?")
    if kind == "enum":
        choices = tuple(tail.split("|")) if tail else ()
        if not choices or "" in choices:
            raise TableError(f"{where}: field {name!r} needs choices, as in enum:A|B")
        if len({identifier(choice) for choice in choices}) != len(choices):
            raise TableError(
                f"{where}: two choices of field {name!r} are the same in C++"
            )
        return Field(name, kind, optional, choices)
    if colon or (kind not in SCALARS and kind != "strings"):
        raise TableError(f"{where}: field {name!r} has the unknown type {spec!r}")
    return Field(name, kind, optional, ())


def check_value(where: str, field: Field, value: object) -> None:
    if field.kind == "enum":
        if value not in field.choices:
            choices = ", ".join(field.choices)
            raise TableError(
                f"{where}: {field.name} is {value!r}, not one of {choices}"
            )
    elif field.kind == "strings":
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise TableError(f"{where}: {field.name} must be a list of strings")
    else:
        wanted = SCALARS[field.kind][0]
        is_bool = isinstance(value, bool)
        fits = is_bool if wanted is bool else isinstance(value, wanted) and not is_bool
        if wanted is float and isinstance(value, int) and not is_bool:
            fits = True
        if not fits:
            raise TableError(
                f"{where}: {field.name} is {value!r}, but its type is {field.kind}"
            )
        if wanted is int and not -(2**63) <= int(str(value)) < 2**63:
            raise TableError(f"{where}: {field.name} does not fit 64 bits")


@dataclass(frozen=True)
class Table:
    name: str
    doc: str
    keys: tuple[str, ...]
    is_sorted: bool
    fields: tuple[Field, ...]
    rows: list[dict[str, object]]


def load_table(path: Path) -> Table:
    """Reads and checks one table."""

    def no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        for name in names:
            if names.count(name) > 1:
                raise TableError(f"{path.name}: {name!r} stands twice in one object")
        return dict(pairs)

    try:
        data = json.loads(
            path.read_text(encoding="utf-8"), object_pairs_hook=no_duplicates
        )
    except ValueError as error:
        raise TableError(f"{path.name}: not valid JSON: {error}") from error
    if not isinstance(data, dict):
        raise TableError(f"{path.name}: the top level must be an object")
    for name in sorted(set(data) - TOP_LEVEL):
        raise TableError(f"{path.name}: unknown key {name!r} at the top level")
    for name in ("table", "doc", "fields", "rows"):
        if name not in data:
            raise TableError(f"{path.name}: {name!r} is missing at the top level")

    name = identifier(str(data["table"]))
    if name != identifier(path.stem):
        raise TableError(
            f"{path.name}: the table is called {data['table']!r}, unlike its file"
        )
    if not isinstance(data["fields"], dict) or not isinstance(data["rows"], list):
        raise TableError(
            f"{path.name}: 'fields' must be an object and 'rows' a list of objects"
        )
    fields = tuple(
        parse_field(path.name, n, spec) for n, spec in data["fields"].items()
    )
    key = data.get("key", [])
    keys = (key,) if isinstance(key, str) else tuple(key)
    for name_of_key in keys:
        if name_of_key not in data["fields"]:
            raise TableError(f"{path.name}: the key {name_of_key!r} is not a field")
    table = Table(
        name,
        str(data["doc"]),
        keys,
        bool(data.get("sorted", False)),
        fields,
        data["rows"],
    )
    check_rows(path, table)
    return table


def check_rows(path: Path, table: Table) -> None:
    """Checks completeness, types, uniqueness and order."""
    if table.is_sorted and not table.keys:
        raise TableError(f"{path.name}: a sorted table needs a 'key'")
    known = {field.name for field in table.fields}
    seen: dict[tuple[object, ...], int] = {}
    previous: tuple[object, ...] | None = None
    for number, row in enumerate(table.rows, 1):
        where = f"{path.name}: row {number}"
        if not isinstance(row, dict):
            raise TableError(f"{where} must be an object")
        if table.keys:
            where += " (" + ", ".join(repr(row.get(k)) for k in table.keys) + ")"
        for name in row:
            if name not in known:
                raise TableError(f"{where}: unknown field {name!r}")
        for field in table.fields:
            value = row.get(field.name)
            if value is None:
                if not field.optional:
                    raise TableError(f"{where}: field {field.name!r} is missing")
            else:
                check_value(where, field, value)
        if not table.keys:
            continue
        # Text is ordered by its bytes, as std::string_view compares it.
        key = tuple(order(row.get(name)) for name in table.keys)
        if key in seen:
            raise TableError(f"{where}: the same key as row {seen[key]}")
        seen[key] = number
        if table.is_sorted and previous is not None and key < previous:
            raise TableError(f"{where}: out of order, it belongs before the row above")
        previous = key


def order(value: object) -> tuple[int, object]:
    if value is None:
        return (0, 0)
    if isinstance(value, str):
        return (2, value.encode())
    return (1, value)


def value_text(table: Table, number: int, field: Field, value: object) -> str:
    if field.kind == "strings":
        return f"detail::{table.name}_{number}_{field.name}" if value else "{}"
    if value is None:
        return "std::nullopt"
    if field.kind == "enum":
        return f"{camel(table.name)}{camel(field.name)}::{identifier(str(value))}"
    if field.kind == "bool":
        return "true" if value else "false"
    if field.kind == "string":
        return view(str(value))
    if field.kind == "int" and value == -(2**63):
        return "std::numeric_limits<std::int64_t>::min()"
    return repr(value)


def table_header(table: Table, source: str) -> str:
    """The C++ header for a table."""
    row_type = camel(table.name) + "Row"
    find = table.is_sorted and len(table.keys) == 1
    key = next((f for f in table.fields if f.name in table.keys), None)
    find = find and key is not None and key.kind == "string" and not key.optional
    includes = ["array", "cstdint", "limits", "optional", "span", "string_view"]
    if find:
        includes.append("algorithm")
    out = [
        f"// {' '.join(table.doc.split())}",
        f"// Generated by grammar/compile_tables.py from grammar/{source}: change that file.",
        "#pragma once",
        "",
        *(f"#include <{name}>" for name in sorted(includes)),
        "",
        "namespace s2f::tables {",
        "",
    ]
    for field in table.fields:
        if field.kind != "enum":
            continue
        name = camel(table.name) + camel(field.name)
        names = ", ".join(identifier(choice) for choice in field.choices)
        out += [
            f"enum class {name} : std::uint8_t {{ {names} }};",
            "",
            f"[[nodiscard]] constexpr std::string_view to_string({name} value) {{",
            "    switch (value) {",
            *(
                f"    case {name}::{identifier(choice)}: return {view(choice)};"
                for choice in field.choices
            ),
            "    }",
            "    return {};",
            "}",
            "",
        ]
    out.append(f"struct {row_type} {{")
    for field in table.fields:
        out.append(f"    {field.cpp_type(table.name)} {identifier(field.name)};")
    out += ["};", ""]

    lists = []
    rows = []
    for number, row in enumerate(table.rows):
        cells = []
        for field in table.fields:
            value = row.get(field.name)
            if field.kind == "strings" and value:
                items = ", ".join(view(item) for item in value)  # type: ignore[union-attr]
                lists.append(
                    f"inline constexpr std::array<std::string_view, {len(value)}> "  # type: ignore[arg-type]
                    f"{table.name}_{number}_{field.name}{{{{{items}}}}};"
                )
            text = value_text(table, number, field, value)
            cells.append(f".{identifier(field.name)} = {text}")
        rows.append(f"    {row_type}{{{', '.join(cells)}}},")
    if lists:
        out += ["namespace detail {", *lists, "} // namespace detail", ""]
    out.append(f"inline constexpr std::array<{row_type}, {len(rows)}> {table.name}{{")
    out += ["{", *rows, "}};"]
    if find and key is not None:
        member = identifier(key.name)
        search = (
            f"std::ranges::lower_bound({table.name}, key, {{}}, &{row_type}::{member})"
        )
        out += [
            "",
            "/// The row with that key, or null.",
            f"[[nodiscard]] constexpr const {row_type}* find_{table.name}(std::string_view key) {{",
            f"    const auto found = {search};",
            f"    return found != {table.name}.end() && found->{member} == key ? &*found : nullptr;",
            "}",
        ]
    out += ["", "} // namespace s2f::tables", ""]
    return "\n".join(out)


def embedded_header() -> str:
    return """// Gives the program the templates and rule pages that were compiled into it.
// Generated by grammar/compile_tables.py.
#pragma once

#include <span>
#include <string_view>

namespace s2f::embedded {

struct File {
    std::string_view path; ///< Relative to the checkout, as in templates/module.py.mustache.
    std::string_view text;
};

/// Sorted by path, all.
[[nodiscard]] std::span<const File> templates();
[[nodiscard]] std::span<const File> rule_pages();
[[nodiscard]] std::span<const File> notices();

} // namespace s2f::embedded
"""


def embedded_source(root: Path, groups: dict[str, list[Path]]) -> str:
    out = [
        "// Holds the templates and rule pages as text. Generated by grammar/compile_tables.py.",
        '#include "generated/embedded.hpp"',
        "",
        "#include <array>",
        "",
        "namespace s2f::embedded {",
        "",
    ]
    for name, paths in groups.items():
        files = sorted((p.relative_to(root).as_posix(), p) for p in paths)
        out += [
            f"std::span<const File> {name}() {{",
            f"    static constexpr std::array<File, {len(files)}> files{{{{",
        ]
        for path, full in files:
            # Bytes, so that line ends reach the program as they are in the file.
            text = full.read_bytes().decode("utf-8")
            lines = text.splitlines(keepends=True) or [""]
            if "\0" in text:
                raise TableError(f"{path}: holds a NUL")
            out.append(f"        File{{{literal(path)},")
            out += [f"             {literal(line)}" for line in lines]
            out.append("        },")
        out += ["    }};", "    return files;", "}", ""]
    out += ["} // namespace s2f::embedded", ""]
    return "\n".join(out)


def write_if_changed(path: Path, text: str) -> None:
    """Leaves the time of an unchanged file alone, so that nothing is recompiled for it."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def listed(path: Path) -> list[Path]:
    return [
        Path(line) for line in path.read_text(encoding="utf-8").splitlines() if line
    ]


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case ["table", source, header]:
                table = load_table(Path(source))
                write_if_changed(Path(header), table_header(table, Path(source).name))
            case ["embed", root, folder]:
                groups = {
                    name: listed(Path(folder) / f"{name}.list")
                    for name in ("templates", "rule_pages", "notices")
                }
                write_if_changed(Path(folder) / "embedded.hpp", embedded_header())
                write_if_changed(
                    Path(folder) / "embedded.cpp", embedded_source(Path(root), groups)
                )
            case ["check", *sources]:
                for source in sources:
                    load_table(Path(source))
            case _:
                print(
                    "usage: compile_tables.py table JSON HEADER | embed ROOT FOLDER | check JSON...",
                    file=sys.stderr,
                )
                return 2
    except TableError as error:
        print(f"grammar: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
