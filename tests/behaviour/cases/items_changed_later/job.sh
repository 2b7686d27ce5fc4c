#!/bin/bash
#SBATCH --job-name=items_later
#SBATCH --array=1-2
NAME=none
echo "before $NAME"
NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
echo "then $NAME"
NAME="$NAME.gz"
echo "last $NAME"
if [ $SLURM_ARRAY_TASK_ID -eq 2 ]; then
    OTHER=$(sed -n 1p list.txt)
    THIS=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
    echo "$OTHER $THIS"
fi
