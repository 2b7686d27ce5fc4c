#!/bin/bash
#SBATCH --job-name=items_count
#SBATCH --array=0-3
mapfile -t NAMES < list.txt
COUNT=${#NAMES[@]}
if [ "$SLURM_ARRAY_TASK_ID" -ge "$COUNT" ]; then
    echo "no line $SLURM_ARRAY_TASK_ID of $COUNT"
    exit 0
fi
python show.py "${NAMES[$SLURM_ARRAY_TASK_ID]}" "${NAMES[@]}"
