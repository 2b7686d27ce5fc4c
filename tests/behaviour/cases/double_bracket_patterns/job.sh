#!/bin/bash
#SBATCH --ntasks=1
for f in a.gz b.txt "c d.gz" ""; do
  if [[ $f == *.gz ]]; then
    python3 show.py "gz $f"
  elif [[ $f != [a-c]* ]]; then
    python3 show.py "other $f"
  elif [[ $f = ?.txt && ! $f == "*" ]]; then
    python3 show.py "text $f"
  fi
done
[[ $1 == data* ]] && python3 show.py starts
[[ "$1" == "data*" ]] || python3 show.py literal
