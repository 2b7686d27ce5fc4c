#!/bin/bash
#SBATCH --job-name=continue_deep
for i in 1 2; do
    for j in a b; do
        [ $j = b ] && continue 2
        python show.py $i $j
    done
    echo never
done
