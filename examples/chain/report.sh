#!/bin/bash
#SBATCH --job-name=report
#SBATCH --mem=1G
#SBATCH --time=5

python report.py --counts counts.json --top 3
