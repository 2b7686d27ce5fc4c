#!/bin/bash
#SBATCH --job-name=items_spaces
for x in "a b" 'c d' e\ f; do
    python show.py "$x"
    python show.py $x
done
