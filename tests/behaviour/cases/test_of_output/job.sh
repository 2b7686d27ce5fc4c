#!/bin/bash
#SBATCH --job-name=test_of_output
if [ -z "$(python end.py 3)" ]; then echo empty; else echo "not empty"; fi
if [ -n "$(ls none.txt 2>/dev/null)" ]; then echo there; else echo none; fi
if [[ $(python show.py ready) == *ready* ]]; then echo ready; fi
if [ "$(python show.py a | wc -l)" -eq 1 ]; then echo "one line"; fi
[[ $(ls *.py | wc -l) -gt 1 ]] && echo several || echo one
[ "$(python end.py 4)" = "end 4" ] && echo "said so"
n=3
while [ "$(python show.py $n | tr -dc 0-9)" != 0 ] && [ $n -gt 0 ]; do
  echo "n=$n"
  n=$((n - 1))
done
