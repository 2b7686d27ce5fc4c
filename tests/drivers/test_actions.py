"""How many actions a run would have is counted over all jobs of a driver."""

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BINARY = os.environ.get(
    "S2F_BINARY", str(HERE.parents[1] / "build" / "dev" / "slurm2flyte")
)
ARRAY = '#!/bin/bash\n#SBATCH --array=0-999\necho "$SLURM_ARRAY_TASK_ID" "$1"\n'


@pytest.mark.parametrize(("times", "raised"), [(50, False), (51, True)])
def test_actions_of_a_driver(tmp_path: Path, times: int, raised: bool) -> None:
    (tmp_path / "a.sh").write_text(ARRAY)
    (tmp_path / "submit.sh").write_text(
        f"#!/bin/bash\nfor i in $(seq 1 {times}); do\n  sbatch a.sh $i\ndone\n"
    )
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=tmp_path,
        check=True,
    )
    review = json.loads((tmp_path / "review.json").read_text())
    found = [
        finding["message"]
        for each in review["inputs"]
        for finding in each["findings"]
        if finding["rule"] == "S2F341"
    ]
    expected = [f"{times}000 actions in one run, of which Flyte takes 50000."]
    assert found == (expected if raised else [])
