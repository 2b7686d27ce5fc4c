#!/bin/bash
#SBATCH --job-name=append
OPTS="--lr 0.1"
OPTS+=" --epochs 2"
OPTS="$OPTS --half"
python train.py $OPTS
