import sys

print("evaluating", sys.argv[0], sys.argv[4])
