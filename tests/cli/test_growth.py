"""What a conversion says grows with the script, not with its square."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def places(folder: Path, count: int) -> int:
    """How often a line of the module is named, for a job of `count` programs with an output each."""
    lines = [f"python step{i}.py > out{i}.txt\n" for i in range(count)]
    (folder / "long.sh").write_text("#!/bin/bash\n" + "".join(lines))
    subprocess.run(
        [
            BINARY,
            "convert",
            "-q",
            "long.sh",
            "-o",
            "-",
            "--report",
            "r.json",
            "--force",
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=True,
    )
    job = json.loads((folder / "r.json").read_text())["inputs"][0]
    parts = [*job["items"], *job["findings"]]
    return sum(len(part["output_lines"]) for part in parts)


def test_lines_that_came_from_many_do_not_multiply(tmp_path: Path) -> None:
    few, many = places(tmp_path, 40), places(tmp_path, 160)
    assert many < 6 * few, (few, many)
