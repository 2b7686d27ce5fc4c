#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:1
#SBATCH --time=04:00:00
python train.py --ckpt-dir checkpoints
