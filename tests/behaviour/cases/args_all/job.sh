#!/bin/bash
#SBATCH --job-name=args_all
python show.py "$@"
