#!/bin/bash
#SBATCH --job-name=nested
for a in 1 2; do
  for word in one two; do
    test "$word" = one
  done
  echo "after inner $?"
done
for a in 1 2; do
  for b in 1 2; do
    for c in 1 2; do
      python end.py $c
    done
    python end.py 0
  done
done
echo "zero at the end $?"
for a in 1 2; do
  for b in 1 2; do
    python end.py $b
  done
done
