#!/bin/bash
#SBATCH --job-name=ask_while_writes
n=0
while python end.py $n > out_$n.txt; do
  n=$((n + 1))
  if [ $n -eq 2 ]; then continue; fi
  echo "n=$n"
done
echo "left with $n"
until python end.py $n > until.txt; do
  echo "again"
  n=0
done
echo "done $n"
