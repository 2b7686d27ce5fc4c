#!/bin/bash
#SBATCH --job-name=while_read
count=0
cat words.txt | while read -r word; do
    count=$((count + 1))
    echo "$count $word"
done
echo "outside $count"
