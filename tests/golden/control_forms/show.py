import sys

print("show", sys.argv[1:])
