#!/bin/bash
#SBATCH --job-name=read_from_process
count=0
while read -r name; do
    count=$((count + 1))
    echo "$count $name"
done < <(ls data | sort -r)
echo "in all $count"
while IFS= read -r line; do
    echo "[$line]"
done < <(printf '  two blanks\n\n end ')
