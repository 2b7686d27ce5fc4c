#!/bin/bash
#SBATCH --ntasks=1
mkdir -p data/deep
cd data
for d in deep none; do
  sh -c "echo at $d"
  cat <(ls $d 2> /dev/null) <(echo "listed $d") > "$d.txt"
  cat "$d.txt"
done
cd deep || exit 4
while [ ! -f mark ]; do
  cat <(echo marked) > mark
  sh -c 'cat mark; ls ..'
done
