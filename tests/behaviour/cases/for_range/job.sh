#!/bin/bash
#SBATCH --job-name=for_range
for i in {1..3}; do
    python show.py "run_$i"
done
for i in $(seq 0 2 6); do
    echo -n "$i "
done
echo
