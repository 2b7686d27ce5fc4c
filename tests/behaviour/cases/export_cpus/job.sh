#!/bin/bash
#SBATCH --job-name=export_cpus
#SBATCH --cpus-per-task=6
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
python variables.py OMP_NUM_THREADS
