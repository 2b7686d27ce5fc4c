"""Stands for a training program."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--seed")
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--name")
parser.add_argument("--out")
arguments = parser.parse_args()
with open(arguments.out, "w") as file:
    file.write(f"{arguments.name}: seed {arguments.seed}, {arguments.epochs} epochs\n")
print("fitted")
