#!/bin/bash
#SBATCH --job-name=array_values
#SBATCH --array=0-2
LRS=(0.1 0.01 "1 e")
LR=${LRS[$SLURM_ARRAY_TASK_ID]}
python show.py "$LR"
