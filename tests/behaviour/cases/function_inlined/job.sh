#!/bin/bash
#SBATCH --job-name=function_inlined
OUT=results
mkdir -p $OUT
run_one() {
  # one sample
  local sample=$1
  local out="$OUT/$sample.txt"
  echo "running $sample of $#"
  python3 -c "import sys; print(sys.argv[1:])" "$sample" $2 > "$out"
  cat "$out"
}
log() { echo "[log] $*"; }
log start now
run_one a
for s in b c; do
  run_one $s "x y"
done
OUT=.
run_one "d e" 'p q'
log "two  blanks" end
