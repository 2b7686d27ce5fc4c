#!/bin/bash
#SBATCH --job-name=after_loop
for i in 1 2 3; do
    last=$i
done
python show.py "$i" "$last"
