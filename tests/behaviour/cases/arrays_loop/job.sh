#!/bin/bash
#SBATCH --job-name=arrays_loop
SEEDS=(1 2 3)
for seed in "${SEEDS[@]}"; do
    python train.py --epochs "$seed"
done
