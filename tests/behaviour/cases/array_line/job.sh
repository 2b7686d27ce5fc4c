#!/bin/bash
#SBATCH --job-name=array_line
#SBATCH --array=1-3
LINE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
python show.py $LINE
