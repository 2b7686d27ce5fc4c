#!/bin/bash
#SBATCH --job-name=nested
for a in 1 2; do
  for b in *.none; do
    test -e "$b"
  done
done
echo "pattern $?"
for a in 1; do
  for b in x; do
    if [ "$b" = y ]; then python end.py 3; fi
  done
done
