#!/bin/bash
#SBATCH --job-name=arguments
# sbatch arguments.sh DATA [EPOCHS]
data=$1
epochs=${2:-10}
python train.py --data "$data" --epochs "$epochs"
