#!/bin/bash
#SBATCH --job-name=steps
set -e
srun python show.py prepare > prepared.txt
srun python train.py --epochs 2
srun python end.py 5
srun python show.py never
