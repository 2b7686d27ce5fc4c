#!/bin/bash
#SBATCH --job-name=sums_arguments
LINES=$(cat numbers.txt | wc -l)
echo $((LINES * 2)) $(($1 + 1)) $(( $2 * 3 ))
if [ "$1" -gt 3 ]; then echo "$1 is more"; fi
if [[ $LINES -eq 3 ]]; then echo three lines; fi
