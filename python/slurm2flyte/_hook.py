"""What pre-commit runs: a command of slurm2flyte on those of the files that have to do with Slurm.

    slurm2flyte-hook signoff check FILE...

pre-commit hands over every shell script of a commit; most of them are no jobs.
"""

import os
import re
import sys

from slurm2flyte import Slurm2flyteError, binary

# A directive, or a submission.
_SLURM = re.compile(rb"(?m)^#(SBATCH|SLURM|PBS|BSUB)\b|\bsbatch\b")


def is_about_slurm(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return bool(_SLURM.search(file.read()))
    except OSError:
        return False


def main() -> int:
    arguments = sys.argv[1:]
    # What is a file is one that pre-commit names; these stand last.
    first = len(arguments)
    while first > 0 and os.path.isfile(arguments[first - 1]):
        first -= 1
    command, files = arguments[:first], arguments[first:]
    jobs = [path for path in files if is_about_slurm(path)]
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    if not jobs:
        return 0
    try:
        program = binary()
    except Slurm2flyteError as problem:
        print(f"slurm2flyte: {problem}", file=sys.stderr)
        return 2
    os.execv(program, ["slurm2flyte", *command, *jobs])


if __name__ == "__main__":
    sys.exit(main())
