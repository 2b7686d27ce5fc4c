#!/bin/bash
#SBATCH --job-name=nullglob
shopt -s nullglob
for f in data/*.nothing; do
    echo "got $f"
done
python show.py end *.nothing
