#!/bin/bash
#SBATCH --job-name=add
set -e
python add.py left.txt right.txt
