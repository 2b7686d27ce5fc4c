import sys

print("infer", sys.argv[1:])
