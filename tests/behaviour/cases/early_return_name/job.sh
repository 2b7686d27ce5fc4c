#!/bin/bash
#SBATCH --job-name=early_return_name
echo first > first.txt
if [ ! -f todo ]; then
  echo "nothing to do"
  exit 0
fi
name=$(head -n 1 todo)
echo second > "out_$name.txt"
