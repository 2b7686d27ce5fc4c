#!/bin/bash
#SBATCH --job-name=steps
#SBATCH --mem=8G

python missing.py
python work.py
