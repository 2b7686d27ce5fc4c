#!/bin/bash
#SBATCH --job-name=export
export OMP_NUM_THREADS=4
export NAME="a b"
PLAIN=unseen
python variables.py OMP_NUM_THREADS NAME PLAIN
