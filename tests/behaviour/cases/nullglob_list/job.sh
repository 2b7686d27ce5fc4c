#!/bin/bash
#SBATCH --job-name=nullglob_list
shopt -s nullglob
files=(data/*.txt)
none=(data/*.nothing)
echo "${#files[@]} ${#none[@]}"
for f in data/*.txt data/*.none; do
    echo "<$f>"
done
echo data/*.csv end
shopt -u nullglob
echo data/*.csv end
for f in data/*.none; do
    echo "<$f>"
done
