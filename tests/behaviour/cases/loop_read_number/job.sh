#!/bin/bash
#SBATCH --job-name=read_number
for n in 08 1e3 -1; do
    python train.py --lr $n
    mkdir "d$n"
done
