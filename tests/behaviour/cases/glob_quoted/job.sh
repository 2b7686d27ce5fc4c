#!/bin/bash
#SBATCH --job-name=glob_quoted
python show.py "*.txt" '*' \*
PATTERN="*.txt"
python show.py "$PATTERN"
