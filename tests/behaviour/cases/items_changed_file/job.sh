#!/bin/bash
#SBATCH --job-name=items_changed
#SBATCH --array=1-2
printf 'new 1\nnew 2\n' > list.$SLURM_ARRAY_TASK_ID.txt
cp list.$SLURM_ARRAY_TASK_ID.txt list.txt
NAME=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
python show.py "$NAME"
