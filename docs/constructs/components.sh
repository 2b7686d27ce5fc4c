#!/bin/bash
#SBATCH --job-name=components
#SBATCH --ntasks=1 --mem=8G
#SBATCH hetjob
#SBATCH --ntasks=4 --gres=gpu:1
srun --het-group=0 python train.py : --het-group=1 python train.py
