#!/bin/bash
#SBATCH --job-name=trap_exit_early
TMP="a b"
mkdir "$TMP"
cleanup() {
  # leaves nothing behind
  rm -rf "$TMP"
  printf 'cleaned %s\n' "$TMP"
}
trap cleanup EXIT
printf 'x\n' > "$TMP/x"
if [ -f "$TMP/x" ]; then
  printf 'leaving\n'
  exit 4
fi
printf 'not reached\n'
