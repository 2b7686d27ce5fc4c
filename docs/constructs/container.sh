#!/bin/bash
#SBATCH --job-name=container
#SBATCH --gres=gpu:1
singularity exec --nv docker://ghcr.io/lab/train:1.4 python train.py
