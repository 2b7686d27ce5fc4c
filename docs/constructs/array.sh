#!/bin/bash
#SBATCH --job-name=sweep
#SBATCH --array=0-9%4

python train.py --seed "$SLURM_ARRAY_TASK_ID"
