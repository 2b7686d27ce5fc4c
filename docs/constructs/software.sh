#!/bin/bash
#SBATCH --job-name=software
module purge
module load python/3.11 cuda/12.1 ffmpeg
source ~/venvs/train/bin/activate
pip install numpy==2.1.0
python train.py
