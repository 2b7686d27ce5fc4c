"""Bodies that are lifted around what stays Bash behave as Bash has them."""

import os
import random
from pathlib import Path

from both import HEAD, run_both
from control import INPUTS
from within import Mixed

SLOW = bool(os.environ.get("S2F_SLOW_TESTS"))


def test_random_mixed_bodies_behave_as_under_bash(tmp_path: Path) -> None:
    chosen = random.randrange(10**9) if SLOW else 1
    seed = int(os.environ.get("S2F_SEED") or chosen)
    count = int(os.environ.get("S2F_BODIES") or (2000 if SLOW else 120))
    print(f"S2F_SEED={seed} S2F_BODIES={count}")
    bodies = Mixed(seed)
    pairs = run_both([HEAD + bodies.body() for _ in range(count)], tmp_path, INPUTS)
    wrong = [pair for pair in pairs if not pair.same]
    # How far something in the background got when the script ends is chance: it is asked again.
    for turn in range(3 if wrong else 0):
        again = run_both([pair.script for pair in wrong], tmp_path / f"{turn}", INPUTS)
        wrong = [pair for pair in again if not pair.same]
        if not wrong:
            break
    print(f"{len(wrong)} of {len(pairs)} differ")
    for pair in wrong[:5]:
        print(pair)
    assert not wrong
    within = sum("_WITHIN_" in pair.module for pair in pairs)
    print(f"{within} of {len(pairs)} have Bash within what is lifted")
    assert within > 0.15 * len(pairs)
