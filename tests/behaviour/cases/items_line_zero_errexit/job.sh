#!/bin/bash
#SBATCH --job-name=items_zero_e
#SBATCH --array=0-2
set -e
NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
python show.py "$NAME"
