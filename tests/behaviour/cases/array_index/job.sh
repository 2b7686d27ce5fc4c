#!/bin/bash
#SBATCH --job-name=array
#SBATCH --array=0-3
python show.py "$SLURM_ARRAY_TASK_ID" > "part_$SLURM_ARRAY_TASK_ID.txt"
