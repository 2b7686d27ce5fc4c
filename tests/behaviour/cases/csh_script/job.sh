#!/bin/csh
#SBATCH --job-name=csh
set name = "x y"
echo "$name"
exit 3
