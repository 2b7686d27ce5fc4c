#!/bin/bash
#SBATCH --job-name=requeue
#SBATCH --requeue
#SBATCH --time=01:00:00

python train.py --resume checkpoints
