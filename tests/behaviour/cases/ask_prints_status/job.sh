#!/bin/bash
#SBATCH --job-name=ask_prints_status
for word in a b; do
  echo "word $word" && python end.py 4
done
[ -f nothing.txt ] && echo there || python end.py 5
