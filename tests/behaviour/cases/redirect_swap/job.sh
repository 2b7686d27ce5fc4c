#!/bin/bash
#SBATCH --job-name=swap
python both.py 1 3>&1 1>&2 2>&3
