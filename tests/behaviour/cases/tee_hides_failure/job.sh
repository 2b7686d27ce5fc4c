#!/bin/bash
#SBATCH --job-name=tee_hides
python end.py 3 2>&1 | tee log.txt
