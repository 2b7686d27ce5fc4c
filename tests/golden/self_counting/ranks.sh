#!/bin/bash
#SBATCH --job-name=ranks
#SBATCH --ntasks=2
# A number that counts itself, and two names that are made of each other.
RANK=0
LEFT=$RIGHT
RIGHT=$LEFT
for node in first second; do
  srun -N 1 -n 1 ./work --rank=$RANK $LEFT &
  RANK=$((RANK+1))
done
wait
