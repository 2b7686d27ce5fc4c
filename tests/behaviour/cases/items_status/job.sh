#!/bin/bash
#SBATCH --job-name=items_status
#SBATCH --array=1-2
NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
echo "status $?"
NAME2=$(awk "NR==$SLURM_ARRAY_TASK_ID" list.txt) || exit 3
NAME3=$(awk "NR==$SLURM_ARRAY_TASK_ID" list.txt) && echo "have $NAME3"
python show.py "$NAME" "$NAME2"
