#!/bin/bash
#SBATCH --job-name=calls_values_change
OUT=one
save() {
  printf 'to %s\n' "$OUT"
  mkdir -p "$OUT"
  printf '%s\n' "$1" > "$OUT/$1.txt"
}
save a
OUT="two three"
save b
for OUT in x y; do save c; done
