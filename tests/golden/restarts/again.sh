#!/bin/bash
#SBATCH --job-name=again
#SBATCH --time=04:00:00
python train.py --ckpt-dir checkpoints
# until there is nothing left to do
if [ ! -f checkpoints/DONE ]; then
  echo "submitting the next run"
  sbatch "$0"
fi
