"""The scripts that were first migrated by hand convert, and every line of them is accounted for."""

from pathlib import Path

import pytest
from hand_written import HandWritten, hand_written_cases


@pytest.mark.parametrize("case", hand_written_cases(), ids=lambda case: case.name)
def test_every_line_is_accounted_for(case: HandWritten, tmp_path: Path) -> None:
    review = case.convert(tmp_path)
    summary = review["summary"]
    assert summary["lines"] == summary["lines_accounted"]
    for one in review["inputs"]:
        assert one["lines"] == one["lines_accounted"], one["path"]
        rules = {finding["rule"] for finding in one["findings"]}
        assert not rules & {"S2F900", "S2F901"}, one["path"]
