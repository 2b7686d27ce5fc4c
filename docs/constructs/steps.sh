#!/bin/bash
#SBATCH --job-name=steps
#SBATCH --ntasks=3

for seed in 1 2 3; do
    srun --ntasks=1 --exclusive python train.py --seed "$seed" &
done
wait
