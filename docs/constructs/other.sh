#!/bin/bash
#SBATCH --job-name=other
#SBATCH --begin=now+1hour
#SBATCH --exclusive
#SBATCH --licenses=matlab:1
#SBATCH --reservation=course
#SBATCH --nodelist=c1
#SBATCH --nice=100
#SBATCH --hold
python train.py
