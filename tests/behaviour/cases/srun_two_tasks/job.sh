#!/bin/bash
#SBATCH --job-name=two_tasks
#SBATCH --ntasks=2
srun python variables.py SLURM_PROCID
