#!/bin/bash
#SBATCH --job-name=calls_shift
run() {
  local name=$1
  shift
  printf 'run %s\n' "$name"
  python3 show.py "$@"
}
run one a "b c"
run two
run three ''
