#!/bin/bash
#SBATCH --job-name=nullglob_words
shopt -s nullglob
pattern="data/*.txt data/*.none"
for f in $pattern; do
    echo "<$f>"
done
ls -d $pattern
