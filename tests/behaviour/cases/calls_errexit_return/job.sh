#!/bin/bash
#SBATCH --job-name=calls_errexit_return
set -e
need() {
  local file=$1
  if [ ! -f "$file" ]; then
    printf 'no %s\n' "$file"
    return 7
  fi
  printf 'there is %s\n' "$file"
}
printf 'x\n' > a.txt
need a.txt
need b.txt
printf 'not reached\n'
