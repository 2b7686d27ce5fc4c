"""Print what comes in, with a mark."""

import sys

for line in sys.stdin:
    print(">", line, end="")
