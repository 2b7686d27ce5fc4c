"""Every golden case converts to exactly the bytes that a person has read and committed."""

from pathlib import Path

import pytest
from golden_cases import Case, cases


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_golden(case: Case, tmp_path: Path) -> None:
    outputs = case.convert(tmp_path)
    expected = case.expectation()
    assert sorted(outputs) == sorted(expected), (
        "run tests/golden/update and read the diff"
    )
    for name, text in outputs.items():
        assert text == expected[name], (
            f"{name} is not as expected: run tests/golden/update"
        )
