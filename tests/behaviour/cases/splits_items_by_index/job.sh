#!/bin/bash
#SBATCH --job-name=items_by_index
#SBATCH --array=0-1
OPTS=("--lr 0.1" "--lr 0.2 -v")
python show.py ${OPTS[$SLURM_ARRAY_TASK_ID]}
