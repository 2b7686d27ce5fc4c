#!/bin/bash
#SBATCH --job-name=read_words_escapes
while read name size; do
    echo "<$name> <$size>"
done < list.txt
