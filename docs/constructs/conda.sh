#!/bin/bash
#SBATCH --job-name=conda
source ~/miniconda3/etc/profile.d/conda.sh
conda activate train
python train.py
