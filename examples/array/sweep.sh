#!/bin/bash
#SBATCH --job-name=sweep
#SBATCH --array=0-63%8
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=2G
#SBATCH --time=00:20:00
#SBATCH --output=logs/sweep_%A_%a.out

# One point of the grid for each element of the array.
python evaluate.py --index "$SLURM_ARRAY_TASK_ID" --out "score_$SLURM_ARRAY_TASK_ID.json"
