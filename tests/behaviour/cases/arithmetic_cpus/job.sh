#!/bin/bash
#SBATCH --job-name=cpus
#SBATCH --cpus-per-task=8
WORKERS=$((SLURM_CPUS_PER_TASK - 1))
HALF=$((${SLURM_CPUS_PER_TASK} / 2))
python show.py "$WORKERS" --workers=$HALF
