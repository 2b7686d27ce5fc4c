#!/bin/bash
#SBATCH --job-name=negated
! python end.py 3
echo "status $?"
! python end.py 0
