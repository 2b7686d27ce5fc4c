#!/bin/bash
#SBATCH --job-name=calls_globals
FAILED=0
run() {
  printf 'run %s\n' "$1"
  python3 show.py "$1"
  sh -c "exit $2" || FAILED=$((FAILED + 1))
}
run a 0
run b 1
run c 2
printf 'failed %s\n' "$FAILED"
exit "$FAILED"
