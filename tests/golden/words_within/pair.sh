#!/bin/bash
#SBATCH --job-name=pair
# The stem is what a program prints, and stands without quotes within a longer word.
STEM=$(cat stem.txt)
cat ${STEM}_left.txt > $STEM.out
