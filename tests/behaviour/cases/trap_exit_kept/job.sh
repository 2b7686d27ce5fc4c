#!/bin/bash
#SBATCH --job-name=trap_exit_kept
DIR=$(printf 'scratch\n' | cat)
mkdir "$DIR"
trap 'rm -rf "$DIR"; printf "removed\n"' EXIT
while IFS=: read -r a b; do printf '%s-%s\n' "$b" "$a"; done <<< "1:2"
printf 'x\n' > "$DIR/x"
ls "$DIR"
sh -c 'exit 6'
