#!/bin/bash
#SBATCH --job-name=nightly_eval
#SBATCH --time=00:45:00
#SBATCH --mem=4G
#SBATCH --mail-user=oncall@example.com
#SBATCH --mail-type=FAIL,TIME_LIMIT
python evaluate.py --date "$(date +%F)" --scope "${1:-nightly}"
