#!/bin/bash
#SBATCH --job-name=args_default
LR=${1:-0.1}
NAME=${2:-base}
python train.py --lr $LR --name $NAME
