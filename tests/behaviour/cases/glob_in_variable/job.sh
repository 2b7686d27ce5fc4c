#!/bin/bash
#SBATCH --job-name=glob_var
PATTERN="*.txt"
python show.py $PATTERN
echo $PATTERN
