#!/bin/bash
#SBATCH --job-name=calls_errexit
set -e
step() {
  printf 'step %s\n' "$1"
  sh -c "exit $2"
  printf 'after %s\n' "$1"
  printf 'end of %s\n' "$1"
}
step one 0
step two 0
step three 4
printf 'not reached\n'
