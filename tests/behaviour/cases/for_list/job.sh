#!/bin/bash
#SBATCH --job-name=for_list
for lr in 0.1 0.01 1e-3; do
    python train.py --lr $lr --name "lr_$lr"
done
