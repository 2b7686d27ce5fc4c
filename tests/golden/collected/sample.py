import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--leave", type=int)
parser.add_argument("--out")
options = parser.parse_args()
values = [2, 4, 9]
del values[options.leave - 1]
with open(options.out, "w") as out:
    out.write(f"{sum(values)}\n")
