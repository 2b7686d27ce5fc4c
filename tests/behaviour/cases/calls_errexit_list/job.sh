#!/bin/bash
#SBATCH --job-name=calls_errexit_list
set -e
need() {
  printf 'need %s\n' "$1"
  printf 'really %s\n' "$1"
  [ -f "$1" ] && printf 'there is %s\n' "$1"
}
printf 'x\n' > a.txt
need a.txt
need b.txt
printf 'not reached\n'
