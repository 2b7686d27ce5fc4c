"""Writes words to a file."""

import argparse
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--words", type=int, default=10)
parser.add_argument("--out", type=Path)
options = parser.parse_args()
options.out.write_text("word\n" * options.words)
