#!/bin/bash
#SBATCH --job-name=trap_exit_changes
LAST=none
trap 'printf "last %s\n" "$LAST" "$COUNT"' EXIT
for f in one two three; do
  LAST=$f
  COUNT=$((COUNT + 1))
  printf 'run %s\n' "$f"
  [ "$f" = two ] && exit 5
done
