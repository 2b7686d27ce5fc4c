#!/bin/bash
#SBATCH --job-name=eval_state
X=1
eval "X=2"
printf '%s\n' "$X"
CMD='printf "%s\n" "$X"'
eval "$CMD"
eval "cd /"
pwd
f() { printf 'f %s\n' "$1"; }
eval "f arg"
eval 'printf "%s\n" "$BASHPID" | grep -c .'
