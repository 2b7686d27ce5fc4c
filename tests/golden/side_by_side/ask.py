import sys

print("asked", sys.argv[1])
