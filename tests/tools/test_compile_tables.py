"""Tests grammar/compile_tables.py: what it checks in a table, and that g++ reads what it writes."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grammar"))

import compile_tables as ct  # pyright: ignore[reportMissingImports]


class TableTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def load(self, **changes: object) -> ct.Table:
        data: dict[str, object] = {
            "table": "some-name",
            "doc": "Names.",
            "key": "name",
            "sorted": True,
            "fields": {"name": "string", "size": "int?"},
            "rows": [{"name": "a", "size": 1}, {"name": "b"}],
        }
        data.update(changes)
        path = self.folder / "some-name.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return ct.load_table(path)

    def refuse(self, message: str, **changes: object) -> None:
        with self.assertRaises(ct.TableError) as caught:
            self.load(**changes)
        self.assertEqual(str(caught.exception), f"some-name.json: {message}")

    def test_good_table(self) -> None:
        table = self.load()
        self.assertEqual(table.name, "some_name")
        self.assertIn("find_some_name", ct.table_header(table, "some-name.json"))

    def test_order(self) -> None:
        self.refuse(
            "row 2 ('a'): out of order, it belongs before the row above",
            rows=[{"name": "b"}, {"name": "a"}],
        )
        self.load(rows=[{"name": "b"}, {"name": "a"}], sorted=False)

    def test_order_is_that_of_bytes(self) -> None:
        self.load(rows=[{"name": "Z"}, {"name": "a"}, {"name": "é"}])

    def test_unique(self) -> None:
        self.refuse(
            "row 2 ('a'): the same key as row 1", rows=[{"name": "a"}, {"name": "a"}]
        )
        rows = [{"name": "a", "size": 1}, {"name": "a", "size": 2}]
        self.load(key=["name", "size"], rows=rows)

    def test_complete(self) -> None:
        self.refuse("row 1 (None): field 'name' is missing", rows=[{"size": 1}])
        self.refuse(
            "row 1 ('a'): unknown field 'sise'", rows=[{"name": "a", "sise": 1}]
        )

    def test_types(self) -> None:
        for spec, good, bad in (
            ("string", "x", 1),
            ("int", -3, True),
            ("int", 3, 1.5),
            ("number", 1, "1"),
            ("bool", False, 0),
            ("strings", ["x"], "x"),
            ("strings", [], [1]),
            ("enum:A|b-c", "b-c", "B"),
        ):
            with self.subTest(spec=spec, bad=bad):
                self.load(key=[], sorted=False, fields={"f": spec}, rows=[{"f": good}])
                with self.assertRaises(ct.TableError):
                    self.load(
                        key=[], sorted=False, fields={"f": spec}, rows=[{"f": bad}]
                    )

    def test_bad_shape(self) -> None:
        self.refuse("unknown key 'kye' at the top level", kye="name")
        self.refuse("the key 'nam' is not a field", key="nam")
        self.refuse("field 'a' has the unknown type 'text'", fields={"a": "text"})
        self.refuse("the table is called 'other', unlike its file", table="other")

    def test_the_same_name_twice(self) -> None:
        path = self.folder / "some-name.json"
        path.write_text('{"table": "some-name", "table": "x"}', encoding="utf-8")
        with self.assertRaisesRegex(ct.TableError, "stands twice"):
            ct.load_table(path)

    def test_message_and_status(self) -> None:
        path = self.folder / "some-name.json"
        path.write_text("{", encoding="utf-8")
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = ct.main(["table", str(path), str(self.folder / "x.hpp")])
        self.assertEqual(status, 1)
        self.assertIn("grammar: some-name.json: not valid JSON", errors.getvalue())

    def test_unchanged_header_keeps_its_time(self) -> None:
        header = self.folder / "x.hpp"
        ct.write_if_changed(header, "a")
        before = header.stat().st_mtime_ns
        ct.write_if_changed(header, "a")
        self.assertEqual(header.stat().st_mtime_ns, before)

    @unittest.skipUnless(shutil.which("g++"), "needs g++")
    def test_compiles(self) -> None:
        odd = '"\\?\n\t\u00e9a\x01'
        fields = {
            "name": "string",
            "long": "string?",
            "size": "int",
            "ratio": "number",
            "on": "bool",
            "words": "strings",
            "kind": "enum:none|auto|opt-in",
            "maybe": "enum?:A|B",
        }
        row = {"size": 7, "ratio": 0.5, "on": True, "words": ["x", odd], "kind": "auto"}
        rows = [
            row | {"name": "a"},
            row | {"name": odd + "z", "long": "n\0l", "words": [], "maybe": "B"},
        ]
        table = self.load(
            fields=fields, rows=sorted(rows, key=lambda r: str(r["name"]))
        )
        empty = ct.Table("nothing", "Empty.", (), False, table.fields, [])
        (self.folder / "t.hpp").write_text(ct.table_header(table, "t.json"))
        (self.folder / "e.hpp").write_text(ct.table_header(empty, "e.json"))
        (self.folder / "t.cpp").write_text(
            '#include "t.hpp"\n#include "e.hpp"\n'
            "using namespace s2f::tables;\n"
            "static_assert(nothing.empty());\n"
            "static_assert(some_name.size() == 2);\n"
            'constexpr auto* row = find_some_name("a");\n'
            "static_assert(row->size == 7 && row->on && row->ratio == 0.5);\n"
            "static_assert(row->kind == SomeNameKind::auto_ && !row->maybe && !row->long_);\n"
            "static_assert(row->words.size() == 2 && row->words[1].size() == 9);\n"
            f"constexpr auto* other = find_some_name({ct.literal(odd + 'z')});\n"
            "static_assert(other->long_->size() == 3 && other->words.empty());\n"
            "static_assert(other->maybe == SomeNameMaybe::B);\n"
            'static_assert(to_string(SomeNameKind::opt_in) == "opt-in");\n'
            'static_assert(!find_some_name("b") && !find_some_name(""));\n'
        )
        command = ["g++", "-std=c++23", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        subprocess.run(
            [*command, "-fsyntax-only", str(self.folder / "t.cpp")],
            check=True,
            timeout=60,
        )


class EmbedTest(unittest.TestCase):
    def test_text_is_kept_byte_for_byte(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            page = root / "templates" / "a" / "m.mustache"
            page.parent.mkdir(parents=True)
            page.write_bytes(b"{{x}}\r\nno line end")
            groups: dict[str, list[Path]] = {"templates": [page], "rule_pages": []}
            text = ct.embedded_source(root, groups)
        self.assertIn('File{"templates/a/m.mustache",', text)
        self.assertIn('"{{x}}\\015\\n"\n', text)
        self.assertIn('"no line end"', text)


if __name__ == "__main__":
    unittest.main()
