#!/bin/bash
#SBATCH --job-name=chdir
#SBATCH --chdir=sub
pwd
python ../where.py made.txt
