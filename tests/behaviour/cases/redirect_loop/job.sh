#!/bin/bash
#SBATCH --job-name=redirect_loop
for i in 1 2 3; do
    echo "$i"
done > numbers.txt
