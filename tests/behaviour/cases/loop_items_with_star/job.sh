#!/bin/bash
#SBATCH --job-name=items_star
for x in "*.txt" '?'; do
    echo "$x"
    echo $x
done
