import sys

print("module", sys.argv[1:])
