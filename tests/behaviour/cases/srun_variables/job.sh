#!/bin/bash
#SBATCH --job-name=srun_variables
#SBATCH --ntasks=1
srun python variables.py SLURM_PROCID SLURM_LOCALID SLURM_NTASKS SLURM_NODEID
