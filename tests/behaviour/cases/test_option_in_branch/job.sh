#!/bin/bash
#SBATCH --job-name=option_in_branch
HALF=
if [ -f nothing ]; then HALF=--half; fi
python train.py $HALF --epochs 2
echo one $HALF two
