#!/bin/bash
#SBATCH --job-name=by_task
#SBATCH --array=0-2
NAMES=(alpha "beta gamma" delta)
LR=(0.1 0.01)
SEEDS=(1 2 3)
python show.py "${NAMES[$SLURM_ARRAY_TASK_ID]}" ${SEEDS[SLURM_ARRAY_TASK_ID]} "${LR[$SLURM_ARRAY_TASK_ID]}"
NAME=${NAMES[$((SLURM_ARRAY_TASK_ID % 2))]}
echo "$NAME ${#NAMES[@]} ${NAMES[*]} ${NAMES[-1]} ${NAMES[$SLURM_ARRAY_TASK_ID - 1]}"
