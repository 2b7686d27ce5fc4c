#!/bin/bash
#SBATCH --job-name=strip_combined
F=$1
NAME=${F##*/}
STEM=${NAME%.*}
mkdir -p out
python show.py "$STEM" > "out/${STEM}.txt"
