#!/bin/bash -l
#SBATCH -J fit-model
#SBATCH -p a100
#SBATCH -N 1
#SBATCH -n 1
#SBATCH -c 8
#SBATCH --gpus=a100:1
#SBATCH --mem=32000
#SBATCH -t 1-12
#SBATCH -o fit.%j.out
#SBATCH -e fit.%j.err
#SBATCH --mail-type=END,FAIL
#SBATCH --mail-user=someone@example.org

module purge
module load python/3.12

# The seed is part of the file name, so its text must stay as it is.
srun python fit.py --seed 007 --epochs 12 --name "first try" --out result-007.txt
