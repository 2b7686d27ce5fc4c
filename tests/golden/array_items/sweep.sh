#!/bin/bash
#SBATCH --job-name=sweep
#SBATCH --array=0-5%3

# The grid.
MODELS=(small large)
RATES=(0.1 0.01 0.001)
MODEL=${MODELS[$((SLURM_ARRAY_TASK_ID / 3))]}
RATE=${RATES[$((SLURM_ARRAY_TASK_ID % 3))]}

# One data set for each element.
mapfile -t SETS < sets.txt
NAME=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" names.csv | cut -d, -f2)
OWNER=$(awk -F, -v line=$((SLURM_ARRAY_TASK_ID + 1)) 'NR == line {print $1}' names.csv)

python fit.py --model "$MODEL" --rate "$RATE" --data "${SETS[$SLURM_ARRAY_TASK_ID]}" --name "$NAME" --by "$OWNER"
