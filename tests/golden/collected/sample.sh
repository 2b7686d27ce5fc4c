#!/bin/bash
#SBATCH --array=1-3
#SBATCH --time=5
mkdir -p "/scratch/$USER/samples"
python3 sample.py --leave "$SLURM_ARRAY_TASK_ID" --out "/scratch/$USER/samples/s$SLURM_ARRAY_TASK_ID.txt"
