#!/bin/bash
#SBATCH --job-name=items_exported
#SBATCH --array=1-2
export CONFIG=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
MODES=(fast slow)
export MODE=${MODES[$((SLURM_ARRAY_TASK_ID - 1))]}
python -c 'import os; print(os.environ["CONFIG"], os.environ["MODE"])'
