#!/bin/bash
#SBATCH --ntasks=1
DATA_DIR=data
python3 show.py "$DATA_DIR" "[$DATADIR]" "$DATA_DRI/x"
