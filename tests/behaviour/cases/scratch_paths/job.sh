#!/bin/bash
#SBATCH --job-name=scratch
OUT=/scratch/$USER/run
mkdir -p $OUT
python show.py x > $OUT/out.txt
cat $OUT/out.txt
