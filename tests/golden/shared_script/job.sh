#!/bin/bash
#SBATCH --time=5
#SBATCH --mem=2G
python3 work.py --name "$1"
