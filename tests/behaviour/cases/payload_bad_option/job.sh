#!/bin/bash
#SBATCH --job-name=bad_option
python train.py --no-such-option
echo "status $?"
python train.py --lr notanumber
