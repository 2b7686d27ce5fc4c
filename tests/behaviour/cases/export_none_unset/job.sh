#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --export=NONE
python3 show.py "[$SET_OUTSIDE]" $SET_OUTSIDE end
if [ -n "$SET_OUTSIDE" ]; then
  python3 show.py set
fi
