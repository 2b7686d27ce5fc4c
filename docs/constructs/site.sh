#!/bin/bash
#SBATCH --job-name=site
#SBATCH --partition=gpu
#SBATCH --account=vision
#SBATCH --qos=high
#SBATCH --constraint=a100

python train.py
