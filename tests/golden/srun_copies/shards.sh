#!/bin/bash
#SBATCH --job-name=shards
#SBATCH --nodes=1
#SBATCH --ntasks=3
#SBATCH --cpus-per-task=2
#SBATCH --mem=6G
#SBATCH --time=30:00
set -e
squeue -u "$USER"
srun hostname > /dev/null
srun -n1 --exact nice python split.py --parts 3
srun --cpu-bind=cores python work.py --scale 2
srun -n1 -o total.txt python total.py
