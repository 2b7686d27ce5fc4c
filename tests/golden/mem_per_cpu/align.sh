#!/bin/bash
#SBATCH --job-name=align
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=6
#SBATCH --mem-per-cpu=1500M
#SBATCH --tmp=20G
#SBATCH --time=90
#SBATCH --account=genomics
#SBATCH --qos=normal

export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
python3 align.py reads.txt > aligned.txt
