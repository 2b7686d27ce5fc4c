#!/bin/bash
#SBATCH --ntasks=1
ENV=$2
module load $ENV 2>/dev/null
python3 show.py "$1" end
