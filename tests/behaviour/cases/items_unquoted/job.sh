#!/bin/bash
#SBATCH --job-name=items_unquoted
#SBATCH --array=1-3
ARGS=$(sed -n "${SLURM_ARRAY_TASK_ID}p" args.txt)
python show.py $ARGS
python show.py $(sed -n "${SLURM_ARRAY_TASK_ID}p" args.txt) end
for WORD in $ARGS; do
    echo "word $WORD"
done
