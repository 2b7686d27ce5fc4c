#!/bin/bash
#SBATCH --job-name=split
set -e
python split.py --text /project/lab/text.txt --out /scratch/lab/words.txt
