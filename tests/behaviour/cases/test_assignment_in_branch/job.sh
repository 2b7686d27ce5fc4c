#!/bin/bash
#SBATCH --job-name=branch_value
MODE=slow
if [ -f job.sh ]; then MODE=fast; fi
python show.py "$MODE"
if [ -f nothing ]; then EXTRA="--half"; fi
python train.py $EXTRA
