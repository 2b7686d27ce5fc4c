"""Stands for an aligner: prints each read backwards."""

import os
import sys

print("threads", os.environ["OMP_NUM_THREADS"])
with open(sys.argv[1]) as reads:
    for read in reads:
        print(read.strip()[::-1])
