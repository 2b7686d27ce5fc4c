#!/bin/bash
#SBATCH --job-name=late
##SBATCH --mem=64G
# SBATCH --gres=gpu:8
#SBATCH --mem=1G # enough for now
#SBATCH --time=00:30
echo begin
#SBATCH --cpus-per-task=64
#SBATCH --time=99:00:00
echo end
