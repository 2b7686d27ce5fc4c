#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --export=OTHER=2
python3 show.py "[$SET_OUTSIDE]" end
