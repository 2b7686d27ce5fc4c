#!/bin/bash
#SBATCH --job-name=srun_chdir
srun --chdir=sub python ../where.py
