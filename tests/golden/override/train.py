import sys

print("training", sys.argv)
