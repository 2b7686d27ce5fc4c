"""A payload that declares its options."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--name", default="model")
parser.add_argument("--half", action="store_true")
parser.add_argument("--tags", nargs="*", default=[])
options = parser.parse_args()
print(options.lr, options.epochs, repr(options.name), options.half, options.tags)
