#!/bin/bash
#SBATCH --job-name=glob_loop_none
for f in data/*.nothing; do
    echo "got $f"
done
