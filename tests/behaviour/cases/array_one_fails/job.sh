#!/bin/bash
#SBATCH --job-name=array_fails
#SBATCH --array=0-2
python show.py $SLURM_ARRAY_TASK_ID > $SLURM_ARRAY_TASK_ID.txt
if [ $SLURM_ARRAY_TASK_ID -eq 1 ]; then
    exit 3
fi
