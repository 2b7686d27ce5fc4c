#!/bin/bash
#SBATCH --job-name=exit_inside
for i in 1 2 3; do
    python show.py $i
    [ $i -eq 2 ] && exit 7
done
echo never
