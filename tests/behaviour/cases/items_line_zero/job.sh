#!/bin/bash
#SBATCH --job-name=items_zero
#SBATCH --array=0-2
NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
OTHER=$(head -n $SLURM_ARRAY_TASK_ID list.txt | tail -n 1)
THIRD=$(awk "NR==$SLURM_ARRAY_TASK_ID" list.txt)
python show.py "$NAME" "$OTHER" "$THIRD"
