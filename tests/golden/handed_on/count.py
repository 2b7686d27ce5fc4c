import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--words")
parser.add_argument("--out")
options = parser.parse_args()
count = len(open(options.words).read().split())
print(f"words {count}\n", end="", flush=True)
with open(options.out, "w") as out:
    out.write(str(count))
