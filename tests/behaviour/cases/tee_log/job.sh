#!/bin/bash
#SBATCH --job-name=tee_log
python both.py 1 2>&1 | tee log.txt
