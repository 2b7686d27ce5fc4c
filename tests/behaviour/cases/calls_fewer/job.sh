#!/bin/bash
#SBATCH --job-name=calls_fewer
show() {
  local first=$1 second=$2
  python3 show.py "$first" "$second" $second
  printf '%s|%s\n' "$first" "${second:-none}"
  printf 'end\n'
}
show a b
show a
show
show "a b" "c d"
