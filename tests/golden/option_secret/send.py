import sys; print(len(sys.argv))
