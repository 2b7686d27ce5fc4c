#!/bin/bash
#SBATCH --ntasks=1
ARGS=$1
python3 show.py --x=$ARGS $ARGS/y end
