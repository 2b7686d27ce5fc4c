#!/bin/bash
#SBATCH --job-name=array_arithmetic
#SBATCH --array=0-3
MODEL=$((SLURM_ARRAY_TASK_ID / 2))
SEED=$((SLURM_ARRAY_TASK_ID % 2))
python show.py $MODEL $SEED
