"""What the documentation says that the program prints is what it prints."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])


def test_printed_blocks_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "update", "--check"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
