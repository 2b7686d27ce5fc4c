#!/bin/bash
#SBATCH --job-name=associative
declare -A LR=([small]=0.1 [big]=0.01)
for size in small big; do
    python train.py --lr "${LR[$size]}" --name "$size"
done
