#!/bin/bash
#SBATCH --job-name=shard
#SBATCH --array=1-4
#SBATCH --mem=1G
#SBATCH --time=10

python shard.py --shard "$SLURM_ARRAY_TASK_ID" --of "$SLURM_ARRAY_TASK_COUNT"
