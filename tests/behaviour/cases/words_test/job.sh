#!/bin/bash
#SBATCH --ntasks=1
ARGS=$1
if [ $ARGS = a ]; then
  python3 show.py yes
else
  python3 show.py no
fi
