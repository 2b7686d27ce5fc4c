#!/bin/bash
#SBATCH --job-name=glob_cat
cat part_*.txt > whole.txt
rm part_*.txt
