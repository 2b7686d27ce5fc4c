"""Literals give back the bytes that were put in, and hold nothing that cannot be seen."""

import ast
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def literals(generate: Callable[[str, int], Path]) -> list[list[bytes]]:
    text = (generate("write random literals", 20_000) / "literals").read_text()
    return [
        [bytes.fromhex(part) for part in line.split(" ")] for line in text.splitlines()
    ]


def read(literal: bytes) -> str | bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an unknown escape
        return ast.literal_eval(literal.decode())


def test_text_comes_back(literals: list[list[bytes]]) -> None:
    for wanted, *texts, of_bytes in literals:
        for literal in texts:
            value = read(literal)
            assert isinstance(value, str)
            assert value.encode("utf-8", "surrogateescape") == wanted, literal
        assert read(of_bytes) == wanted


def test_nothing_is_invisible(literals: list[list[bytes]]) -> None:
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    for _, *texts, _ in literals:
        for literal in texts:
            for char in literal.decode():
                blank = char in " \n\t"
                assert blank or unicodedata.category(char) not in hidden, literal
                assert blank or not char.isspace(), literal


def test_a_plain_literal_is_one_line(literals: list[list[bytes]]) -> None:
    for _, plain, _, single, of_bytes in literals:
        for literal in (plain, single, of_bytes):
            assert b"\n" not in literal and b"\t" not in literal
