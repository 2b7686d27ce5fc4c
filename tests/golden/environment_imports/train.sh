#!/bin/bash
#SBATCH --job-name=imports
srun python pkg/train.py --epochs 3
