import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--text")
parser.add_argument("--out")
options = parser.parse_args()
words = open(options.text).read().split()
with open(options.out, "w") as out:
    out.write("\n".join(words))
