#!/bin/bash
#SBATCH --job-name=option_empty
EXTRA=""
python train.py $EXTRA "--name" "$EXTRA"
EXTRA=--half
python train.py $EXTRA
