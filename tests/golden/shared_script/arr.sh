#!/bin/bash
#SBATCH --array=0-2
python3 work.py --name "$SLURM_ARRAY_TASK_ID"
