#!/bin/bash
#SBATCH --job-name=count_array
files=("one two" "*" "")
for ((i = 0; i < ${#files[@]}; i++)); do
    echo "$i <${files[$i]}> <${files[i]}>"
done
files+=(last)
for ((j=${#files[@]}-1; j>=0; j--)); do
    echo "$j ${files[j]}"
done
empty=()
for ((k=0; k<${#empty[@]}; k++)); do
    echo never
done
