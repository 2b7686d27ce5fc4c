#!/bin/bash
#SBATCH --array=1-3
grep called "calls_$SLURM_ARRAY_TASK_ID.txt" > "kept_$SLURM_ARRAY_TASK_ID.txt"
