#!/bin/bash
#SBATCH --job-name=args_star
python show.py "$*"
