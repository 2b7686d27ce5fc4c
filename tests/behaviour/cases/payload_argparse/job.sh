#!/bin/bash
#SBATCH --job-name=argparse
LR=3e-4
python train.py --lr $LR --epochs 10 --name "run-$LR" --half --tags a "b c"
