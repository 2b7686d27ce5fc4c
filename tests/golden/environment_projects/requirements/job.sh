#!/bin/bash
#SBATCH --job-name=requirements
source ~/venvs/x/bin/activate
python job.py
