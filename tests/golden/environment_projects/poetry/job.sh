#!/bin/bash
#SBATCH --job-name=poetry
source ~/venvs/x/bin/activate
python job.py
