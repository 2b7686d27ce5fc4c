#!/bin/bash
#SBATCH --job-name=prefix_slurm
#SBATCH --cpus-per-task=4
OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK python variables.py OMP_NUM_THREADS
THREADS=$((SLURM_CPUS_PER_TASK * 2))
OMP_NUM_THREADS=$THREADS python variables.py OMP_NUM_THREADS
