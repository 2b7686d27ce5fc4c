#!/bin/bash
#SBATCH --job-name=prepare
python train.py --epochs 1
