import sys

print("element", sys.argv[1])
