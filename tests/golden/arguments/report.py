"""Prints what it was given."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--dataset")
parser.add_argument("--format", choices=["pdf", "html"])
parser.add_argument("--verbose", action="store_true")
print(vars(parser.parse_args()))
