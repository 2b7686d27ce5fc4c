#!/bin/bash
#SBATCH --job-name=steps
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=30:00
set -euo pipefail

python prepare.py
python work.py
echo "done with $SLURM_JOB_NAME"
