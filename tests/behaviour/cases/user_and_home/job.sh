#!/bin/bash
#SBATCH --job-name=user
echo "$USER $HOME"
mkdir -p $HOME/results/$USER
echo x > ~/results/file.txt
