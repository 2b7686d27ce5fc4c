#!/bin/bash
#SBATCH --mem=2G
#SBATCH --time=15

# usage: sbatch report.sh DATASET [FORMAT]
python report.py --dataset "$1" --format "${2:-pdf}" --verbose
