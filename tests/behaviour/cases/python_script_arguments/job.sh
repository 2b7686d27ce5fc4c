#!/usr/bin/env python3
#SBATCH --job-name=python_arguments
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("files", nargs="*")
print(parser.parse_args())
