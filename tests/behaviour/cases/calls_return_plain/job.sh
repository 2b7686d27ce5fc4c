#!/bin/bash
#SBATCH --job-name=calls_return_plain
maybe() {
  printf 'maybe %s\n' "$1"
  [ "$1" = skip ] && return
  sh -c 'exit 6'
  return
}
maybe skip; printf '%s\n' "$?"
maybe go; printf '%s\n' "$?"
finish() {
  printf 'finish %s\n' "$1"
  for i in 1 2 3; do
    if [ "$i" = "$1" ]; then printf 'found\n'; return 4; fi
  done
  printf 'none\n'
}
finish 2; printf '%s\n' "$?"
finish 5; printf '%s\n' "$?"
