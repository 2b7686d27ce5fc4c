#!/bin/bash
#SBATCH --job-name=conda
conda activate fold
python job.py
