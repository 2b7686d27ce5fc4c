#!/bin/bash
#SBATCH --job-name=eval_command
N=$(printf 'a b\n' | cat)
eval "python3 -c 'import sys; print(sys.argv[1:])' one 'two three'"
CMD="python3 -c 'import sys; print(sys.argv[1:])' --name '$N'  'x  y'"
eval $CMD
eval "$CMD"
OUT="printf '%s\n' kept > out.txt; cat out.txt"
eval "$OUT"
PIPE="printf 'b\na\n' | sort | head -n 1"
eval "$PIPE" > first.txt
eval 'false || printf "%s\n" or'
eval false
printf 'status %s\n' "$?"
GLOB="ls *.txt"
eval $GLOB
eval "$GLOB"
