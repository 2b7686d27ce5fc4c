#!/bin/bash
#SBATCH --job-name=builds_list
ALL=""
for name in a b c; do
    ALL="$ALL $name"
done
python show.py $ALL
python show.py "$ALL"
