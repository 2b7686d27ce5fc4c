#!/bin/bash
for rate in 0.1 0.01 0.001; do
    sbatch --job-name="fit-$rate" --wrap "python train.py --lr $rate"
done
