#!/bin/bash
#SBATCH --job-name=for_c
for ((i = 0; i < 3; i++)); do
    python show.py $i $((i * 10))
done
