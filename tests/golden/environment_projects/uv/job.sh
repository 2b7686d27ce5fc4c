#!/bin/bash
#SBATCH --job-name=uv
source ~/venvs/x/bin/activate
python job.py
