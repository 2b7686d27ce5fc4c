#!/bin/bash
#SBATCH --job-name=slurm_default
THREADS=${SLURM_CPUS_PER_TASK:-1}
export OMP_NUM_THREADS=$THREADS
python variables.py OMP_NUM_THREADS
ID=${SLURM_ARRAY_TASK_ID:-0}
python show.py "seed_$ID"
