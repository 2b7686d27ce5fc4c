#!/bin/bash
#SBATCH --job-name=items_in_bash
#SBATCH --array=0-1
NAMES=(x y)
NAME=${NAMES[$SLURM_ARRAY_TASK_ID]}
LINE=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" list.txt)
declare -A ages
ages[$NAME]=$SLURM_ARRAY_TASK_ID
for key in "${!ages[@]}"; do echo "$key ${ages[$key]} $LINE"; done
python show.py "$LINE" "$NAME"
