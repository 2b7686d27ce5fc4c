#!/bin/bash
#SBATCH --job-name=killed_middle
python end.py TERM
echo "status $?"
python end.py SEGV
echo "status $?"
