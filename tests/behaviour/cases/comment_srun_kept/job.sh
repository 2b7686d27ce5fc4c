#!/bin/bash
#SBATCH --job-name=comments
x=1
#srun python old.py
while [ $x -lt 3 ]; do
  # srun --ntasks=1 python older.py
  echo $x # sbatch next.sh
  x=$((x * 2))
done
python -c 'import sys; print(sys.argv[1:])' a \
# srun b
