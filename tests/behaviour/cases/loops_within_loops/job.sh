#!/bin/bash
#SBATCH --job-name=nested
for a in 1 2; do
  for b in x y; do
    for c in p q; do
      python show.py "$a$b$c"
    done
  done
  for b in only; do
    echo "b is $b"
  done
done
for a in 1 2; do
  for b in 1 2; do
    test "$a$b" = 12
  done
done
