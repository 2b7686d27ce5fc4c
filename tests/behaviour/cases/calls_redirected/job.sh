#!/bin/bash
#SBATCH --job-name=calls_redirected
show() {
  printf 'show %s\n' "$1"
  python3 show.py "$1"
  printf 'shown\n'
}
show a > log.txt
show b >> log.txt 2>&1
show c | sed 's/show/SHOW/'
X=$(show d)
printf '%s\n' "$X"
