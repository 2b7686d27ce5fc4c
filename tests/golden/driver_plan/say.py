import sys

sys.stdout.write(f"it is {sys.argv[1]}\n")  # at once: two of these run side by side
