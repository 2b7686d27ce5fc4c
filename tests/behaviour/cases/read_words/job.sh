#!/bin/bash
#SBATCH --job-name=read_words
while read -r name size rest; do
    echo "<$name> <$size> <$rest>"
done < list.txt
while read -r name size || [ -n "$name" ]; do
    echo "<$name> <$size>"
done < list.txt
