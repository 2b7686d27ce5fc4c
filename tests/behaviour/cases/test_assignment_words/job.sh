#!/bin/bash
#SBATCH --job-name=branch_words
OPTS=""
if [ -f job.sh ]; then OPTS="--epochs 2 --half"; fi
python train.py $OPTS
