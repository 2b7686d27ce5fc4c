"""Print the arguments, each in brackets."""

import sys

print("show", *(f"[{argument}]" for argument in sys.argv[1:]))
