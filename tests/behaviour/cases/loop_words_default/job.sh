#!/bin/bash
#SBATCH --job-name=words_default
for seed in ${1:-1 2 3}; do
    python show.py $seed
done
