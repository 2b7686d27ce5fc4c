#!/bin/bash
#SBATCH --job-name=left
set -e
python count.py --words /scratch/lab/words.txt --out left.txt
