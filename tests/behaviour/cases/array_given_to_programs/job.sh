#!/bin/bash
#SBATCH --job-name=given_to_programs
#SBATCH --array=1-2
echo "task $SLURM_ARRAY_TASK_ID"
env | grep "ARRAY_TASK_ID"
