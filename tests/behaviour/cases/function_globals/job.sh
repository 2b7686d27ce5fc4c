#!/bin/bash
#SBATCH --job-name=function_globals
N=1
add() { N=$((N + 1)); LAST=$1; }
add one
add two
printf '%s %s\n' "$N" "$LAST"
for i in 1 2 3; do add "i$i"; done
printf '%s %s\n' "$N" "$LAST"
twice() { add "$1"; add "$1!"; }
twice deep
printf '%s %s\n' "$N" "$LAST"
