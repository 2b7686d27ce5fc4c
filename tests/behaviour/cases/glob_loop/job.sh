#!/bin/bash
#SBATCH --job-name=glob_loop
for f in data/*.txt; do
    python show.py "$f" $(basename "$f" .txt)
done
