#!/bin/bash
#SBATCH --job-name=order
python both.py 1 2>&1 > out_only.txt
