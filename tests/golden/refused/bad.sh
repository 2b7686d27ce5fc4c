#!/bin/bash
#SBATCH --job-name=bad
#SBATCH --mem=lots
#SBATCH --time=1:00:00
echo "never runs"
