#!/bin/bash
#SBATCH --job-name=count_changed
n=2
for ((i = 0; i < n; i++)); do
    echo "$i"
    [ $i -eq 1 ] && n=3
done
for ((i = 0; i < 5; i++)); do
    i=$((i + 1))
    echo "$i"
done
echo "behind $i"
