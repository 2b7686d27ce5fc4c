#!/bin/bash
#SBATCH --job-name=inert
##SBATCH --mem=8G
# SBATCH --time=10
echo begin
#SBATCH --gres=gpu:1
python train.py
