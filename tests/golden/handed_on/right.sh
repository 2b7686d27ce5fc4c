#!/bin/bash
#SBATCH --job-name=right
set -e
python count.py --words /scratch/lab/words.txt --out right.txt
