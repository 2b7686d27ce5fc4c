#!/bin/bash
#SBATCH --job-name=self
#SBATCH --dependency=singleton
python train.py --resume checkpoints
if [ ! -f finished ]; then
    sbatch self.sh
fi
