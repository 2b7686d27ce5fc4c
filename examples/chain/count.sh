#!/bin/bash
#SBATCH --job-name=count
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=00:10:00

python count.py --text words.txt --out counts.json
