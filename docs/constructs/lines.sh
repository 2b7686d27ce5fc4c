#!/bin/bash
#SBATCH --job-name=lines
#SBATCH --array=1-3

NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" names.txt)
python train.py --data "$NAME"
