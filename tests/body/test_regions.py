"""What kept Bash leaves behind it - an end, a directory, variables - Python goes on with."""

import os
import random
from pathlib import Path

from both import HEAD, run_both
from regions import INPUTS, Regions

SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))


def test_python_goes_on_with_what_kept_bash_left(tmp_path: Path) -> None:
    # The quick run is the same each time; the slow one looks further.
    chosen = random.randrange(10**9) if SLOW else 1
    seed = int(os.environ.get("S2F_SEED") or chosen)
    count = int(os.environ.get("S2F_BODIES") or (2000 if SLOW else 100))
    print(f"S2F_SEED={seed} S2F_BODIES={count}")
    bodies = Regions(seed)
    pairs = run_both([HEAD + bodies.body() for _ in range(count)], tmp_path, INPUTS)
    wrong = [pair for pair in pairs if not pair.same]
    print(f"{len(wrong)} of {len(pairs)} differ")
    for pair in wrong[:5]:
        print(pair)
    assert not wrong
    mixed = sum(pair.body == "mixed" for pair in pairs)
    states = sum("bash_state(" in pair.module for pair in pairs)
    print(f"{mixed} of {len(pairs)} mixed; {states} hand on the state of the shell")
    assert mixed > 0.5 * len(pairs)
    assert states > 0.3 * len(pairs)
