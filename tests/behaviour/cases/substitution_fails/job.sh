#!/bin/bash
#SBATCH --job-name=substitution_fails
X=$(python end.py 4)
echo "status $? value $X"
set -e
Y=$(python end.py 5)
echo never
