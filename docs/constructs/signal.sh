#!/bin/bash
#SBATCH --job-name=signal
#SBATCH --signal=B:USR1@120
#SBATCH --time=01:00:00

srun python train.py
