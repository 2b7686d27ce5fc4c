#!/bin/bash
#SBATCH --job-name=ends
for ((;;)); do
  touch done.txt
  [ -f done.txt ] && exit 0
  break
done
sh -c 'echo never; exit 4'
