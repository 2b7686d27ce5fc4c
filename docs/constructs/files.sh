#!/bin/bash
#SBATCH --job-name=files
#SBATCH --output=logs/%x-%j.out
#SBATCH --error=logs/%x-%j.err
#SBATCH --mail-type=END,FAIL
#SBATCH --mail-user=ada@example.org

python train.py > result.txt
