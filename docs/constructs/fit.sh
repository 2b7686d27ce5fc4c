#!/bin/bash
#SBATCH --job-name=fit
#SBATCH --gres=gpu:1
python train.py --epochs 10
