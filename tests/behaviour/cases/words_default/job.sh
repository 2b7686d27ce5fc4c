#!/bin/bash
#SBATCH --ntasks=1
OPTS=${1:-"-a 1 -b 2"}
python3 show.py $OPTS end
