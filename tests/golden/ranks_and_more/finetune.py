"""One rank: says what it was given."""

import argparse
import os
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--words", type=Path)
parser.add_argument("--lr", type=float, default=1e-5)
options = parser.parse_args()
rank = os.environ.get("RANK", "0")
words = len(options.words.read_text().split())
print(f"rank {rank}: {words} words, lr {options.lr}", flush=True)
