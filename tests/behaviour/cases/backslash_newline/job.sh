#!/bin/bash
#SBATCH --job-name=continued
python train.py \
    --lr 0.01 \
    --epochs 3 \
    --name "a b"
