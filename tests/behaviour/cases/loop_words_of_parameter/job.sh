#!/bin/bash
#SBATCH --job-name=words_of_parameter
for x in $1; do
    python show.py "$x"
done
