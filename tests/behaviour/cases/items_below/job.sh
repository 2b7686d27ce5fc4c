#!/bin/bash
#SBATCH --job-name=items_below
#SBATCH --array=1-2
cd data
NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
cd ..
LIST=data/list.txt
SECOND=$(sed -n "${SLURM_ARRAY_TASK_ID}p" $LIST)
THIRD=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$SLURM_SUBMIT_DIR/data/list.txt")
python show.py "$NAME" "$SECOND" "$THIRD"
