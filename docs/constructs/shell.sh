#!/bin/bash
#SBATCH --job-name=shell
declare -A runs
while read -r key value; do
    runs[$key]=$value
done < names.txt
for key in "${!runs[@]}"; do
    echo "$key=${runs[$key]}"
done
