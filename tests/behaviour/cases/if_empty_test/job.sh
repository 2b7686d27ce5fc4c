#!/bin/bash
#SBATCH --job-name=if_empty
CKPT=$1
if [ -z "$CKPT" ]; then
    python train.py
else
    python train.py --name "$CKPT"
fi
