#!/bin/bash
#SBATCH --job-name=zeros
python show.py "$1" > "run_$1.txt"
cat run_*.txt
