#!/bin/bash
#SBATCH --job-name=calls_errexit_both
set -e
step() {
  printf 'step %s\n' "$1"
  sh -c "exit $2"
  printf 'after %s\n' "$1"
  printf 'end\n'
}
step one 4 || printf 'one failed\n'
step two 0
step three 4
printf 'not reached\n'
