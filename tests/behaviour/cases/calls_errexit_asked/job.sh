#!/bin/bash
#SBATCH --job-name=calls_errexit_asked
set -e
step() {
  printf 'step %s\n' "$1"
  sh -c "exit $2"
  printf 'after %s\n' "$1"
  sh -c "exit $3"
}
step one 4 0 || printf 'one failed\n'
if step two 4 0; then printf 'two is good\n'; fi
step three 0 3 || printf 'three failed %s\n' "$?"
printf 'reached\n'
sh -c 'exit 9'
printf 'not reached\n'
