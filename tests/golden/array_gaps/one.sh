#!/bin/bash
#SBATCH --array=1,3,10-20:5%1
#SBATCH --job-name=gaps
python one.py $SLURM_ARRAY_TASK_ID
