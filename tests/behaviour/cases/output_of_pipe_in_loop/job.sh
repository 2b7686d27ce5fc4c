#!/bin/bash
#SBATCH --job-name=output_of_pipe_in_loop
for i in 1 2 3; do
  LINE=$(printf 'x,1\ny,2\nz,3\n' | sed -n "${i}p" | cut -d, -f1)
  printf '%s %s\n' "$i" "$LINE"
done
printf 'last %s\n' "$LINE"
cd /
HERE=$(pwd | tr / _)
printf '%s\n' "$HERE"
