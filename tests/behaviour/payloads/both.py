"""Write a line to each stream."""

import sys

print("to out", *sys.argv[1:], flush=True)
print("to err", *sys.argv[1:], file=sys.stderr, flush=True)
