#!/bin/bash
#SBATCH --job-name=read_words_separator
while IFS=, read -r name size rest; do
    echo "<$name> <$size> <$rest>"
done < list.csv
while IFS=: read -r key value; do
    printf '%s=%s\n' "$key" "$value"
done < list.csv
