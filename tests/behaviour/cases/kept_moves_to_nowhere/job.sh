#!/bin/bash
#SBATCH --job-name=moves
mkdir -p data
for ((;;)); do
  cd nowhere 2> /dev/null
  break
done
touch still_here.txt
(
  cd data
  exit 7
)
touch here_too.txt
