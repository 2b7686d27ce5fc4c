#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --array=8-10
printf -v SUBJECT "sub-%03d" $SLURM_ARRAY_TASK_ID
echo "$SUBJECT"
