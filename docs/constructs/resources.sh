#!/bin/bash
#SBATCH --job-name=resources
#SBATCH --gres=gpu:a100:2
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --time=02:00:00

srun python train.py
