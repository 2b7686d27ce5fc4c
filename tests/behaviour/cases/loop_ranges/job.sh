#!/bin/bash
#SBATCH --job-name=ranges
for i in {3..1} {01..03} {0..6..3} {a..c}; do
    echo -n "$i,"
done
echo
