#!/bin/bash
#SBATCH --job-name=waves
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=32
#SBATCH --mem-per-cpu=2G
#SBATCH --time=08:00:00
#SBATCH --partition=cpu
#SBATCH --exclusive

module load gcc/12 openmpi/4.1

srun --mpi=pmix ./waves -in waves.in
