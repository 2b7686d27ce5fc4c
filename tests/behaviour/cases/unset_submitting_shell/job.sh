#!/bin/bash
#SBATCH --job-name=submitting
python show.py "$DATASET" "$EXTRA"
