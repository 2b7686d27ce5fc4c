#!/bin/bash
#SBATCH --job-name=options
MODE=fast
while getopts "m:n:q" o; do
  case "$o" in
    m) MODE=$OPTARG;;
    n) NAME=$OPTARG;;
    q) QUIET=1;;
    *) echo "what?" >&2; exit 1;;
  esac
done
python -c 'import sys; print(sys.argv[1:])' $MODE $NAME "$QUIET"
[ -n "$QUIET" ] || echo loud
