#!/bin/bash
#SBATCH --array=1-3
SAMPLE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" samples.txt)
echo "$SAMPLE called" > "calls_$SLURM_ARRAY_TASK_ID.txt"
