"""Bodies with functions and traps behave as Bash has them: standard output, status, files."""

import os
import random
from pathlib import Path

from both import HEAD, run_both
from control import INPUTS
from functions import Functions

SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))


def test_random_functions_behave_as_under_bash(tmp_path: Path) -> None:
    chosen = random.randrange(10**9) if SLOW else 1
    seed = int(os.environ.get("S2F_SEED") or chosen)
    count = int(os.environ.get("S2F_BODIES") or (2000 if SLOW else 120))
    print(f"S2F_SEED={seed} S2F_BODIES={count}")
    bodies = Functions(seed)
    pairs = run_both([HEAD + bodies.body() for _ in range(count)], tmp_path, INPUTS)
    wrong = [pair for pair in pairs if not pair.same]
    for turn in range(3 if wrong else 0):  # what runs in the background may be late
        again = run_both([pair.script for pair in wrong], tmp_path / f"{turn}", INPUTS)
        wrong = [pair for pair in again if not pair.same]
        if not wrong:
            break
    print(f"{len(wrong)} of {len(pairs)} differ")
    for pair in wrong[:5]:
        print(pair)
    assert not wrong
    lifted = sum(pair.body == "lifted" for pair in pairs)
    made = sum("    async def " in pair.module for pair in pairs)
    whys = [why for pair in pairs for why in pair.why]
    print(f"{lifted} of {len(pairs)} lifted, {made} with functions; kept: {whys[:20]}")
    assert lifted > 0.4 * len(pairs)
    assert made > 0.3 * len(pairs)
