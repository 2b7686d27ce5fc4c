"""Stands for a payload: says what it was asked to do."""

import argparse
import json
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="data")
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--resume", type=Path)
options = parser.parse_args()
print(f"{options.epochs} epochs of {options.data}, seed {options.seed}")
Path("model.json").write_text(json.dumps({"lr": options.lr}) + "\n")
