#!/bin/bash
#SBATCH --job-name=array_step
#SBATCH --array=1-7:3%2
python variables.py SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX
