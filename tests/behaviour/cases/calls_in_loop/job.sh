#!/bin/bash
#SBATCH --job-name=calls_in_loop
COUNT=0
run() {
  local item="$1"
  printf 'run %s %s\n' "$item" "$COUNT"
  python3 show.py "$item"
  sh -c "exit $COUNT"
}
for item in x "y z" w; do
  COUNT=$((COUNT + 1))
  run "$item" || printf 'failed\n'
done
for item in 1 2; do
  run $item
done
