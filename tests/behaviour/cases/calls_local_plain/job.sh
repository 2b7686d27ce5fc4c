#!/bin/bash
#SBATCH --job-name=calls_local_plain
work() {
  local out rc
  local in="$1"
  out=$(printf 'made of %s\n' "$in" | cat)
  if [ "$in" = b ]; then rc=two; fi
  printf '%s|%s\n' "$out" "$rc"
  python3 show.py "$out"
}
work a
work b
work "c d"
