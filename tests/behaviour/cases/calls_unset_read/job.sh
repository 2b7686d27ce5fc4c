#!/bin/bash
#SBATCH --job-name=calls_unset_read
show() {
  printf 'level %s\n' "${LEVEL:-none}"
  python3 show.py $LEVEL "$1"
  printf 'shown\n'
}
show a
LEVEL="1 2"
show b
