#!/bin/bash
#SBATCH --time=10
python say.py train "$1" "$LR"
