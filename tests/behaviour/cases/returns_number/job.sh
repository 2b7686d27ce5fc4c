#!/bin/bash
#SBATCH --job-name=returns_number
n=1
trap '' USR1
for x in a b; do
    n=$((n + 1))
done
echo "$n"
