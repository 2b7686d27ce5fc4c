#!/bin/bash
#SBATCH --job-name=modifies
for f in *.txt; do
    cp "$f" "copy_$f"
done
ls *.txt
