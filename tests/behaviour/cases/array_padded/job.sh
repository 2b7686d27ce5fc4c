#!/bin/bash
#SBATCH --job-name=padded
#SBATCH --array=8-10
ID=$(printf "%03d" $SLURM_ARRAY_TASK_ID)
touch "sample_$ID.txt"
