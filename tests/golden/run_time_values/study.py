"""Print what the job gave it."""

import os
import sys

names = ["STUDY_OUT", "STUDY_ROUND"]
print(*sys.argv[1:], *(f"{name}={os.environ.get(name)}" for name in names))
