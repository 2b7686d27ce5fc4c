#!/bin/bash
#SBATCH --ntasks=1
set -e
# What fails in the Bash of a loop ends the job.
for n in 1 2 3; do
  sh -c "echo run $n"
  [[ $n < 0 ]] && echo never
  diff <(echo $n) <(echo 1)
  sh -c "echo same $n"
done
echo not here
