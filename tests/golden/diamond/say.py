import sys

print("it is", sys.argv[1])
