"""Prints which part it is."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--shard", type=int)
parser.add_argument("--of", type=int)
arguments = parser.parse_args()
print(f"shard {arguments.shard} of {arguments.of}")
