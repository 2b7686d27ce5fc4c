#!/bin/bash
#SBATCH --time=tomorrow
#SBATCH --memory=8G
python train.py
