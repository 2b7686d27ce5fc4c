import sys

print("sum", int(open(sys.argv[1]).read()) + int(open(sys.argv[2]).read()))
