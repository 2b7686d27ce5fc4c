#!/bin/bash
#SBATCH --job-name=calls_background
one() {
  printf 'one %s\n' "$1" > "$1.txt"
  python3 show.py "$1" > "$1.out"
  sh -c 'exit 2'
}
one a &
one b &
wait
cat a.txt b.txt a.out b.out
