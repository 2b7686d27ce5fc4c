#!/bin/bash
#SBATCH --job-name=unset_path
OUT=
mkdir -p results/$OUT
echo x > results/${OUT}file.txt
