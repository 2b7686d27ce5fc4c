import sys

print("sim", sys.argv[2])
