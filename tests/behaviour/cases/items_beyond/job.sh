#!/bin/bash
#SBATCH --job-name=items_beyond
#SBATCH --array=0,2,5
NAMES=(a "b c" "" d)
NAME=${NAMES[$SLURM_ARRAY_TASK_ID]}
if [ -z "$NAME" ]; then
    echo "nothing for $SLURM_ARRAY_TASK_ID"
    exit 4
fi
python show.py "$NAME"
