#!/bin/bash
#SBATCH --time=5
python3 spread.py --samples "/scratch/$USER/samples" > spread.txt
