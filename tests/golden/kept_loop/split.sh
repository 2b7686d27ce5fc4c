#!/bin/bash
#SBATCH --job-name=split
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=01:00:00

module load python/3.11
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

for file in data/*.txt; do
    name=$(basename "$file" .txt)
    while read -r line; do
        srun -n1 python upper.py "$line" >> "$WORK/$name"
    done < "$file"
    [ -s "$WORK/$name" ] || exit 4
done
cat "$WORK"/* > all.txt
