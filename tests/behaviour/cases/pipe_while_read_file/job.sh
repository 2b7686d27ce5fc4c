#!/bin/bash
#SBATCH --job-name=read_file
count=0
while read -r first rest; do
    count=$((count + 1))
    python show.py "$first" "$rest"
done < words.txt
echo "outside $count"
