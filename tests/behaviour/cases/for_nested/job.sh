#!/bin/bash
#SBATCH --job-name=nested
for model in a b; do
    for seed in 1 2; do
        mkdir -p out/$model
        python show.py $model $seed > out/$model/$seed.txt
    done
done
