#!/bin/bash
#SBATCH --job-name=calls_made
# Trains one model.
train() {
  local name=$1 rate="$2"
  printf 'training %s\n' "$name"
  python3 show.py --name "$name" --rate "$rate"
  # the last one decides
  sh -c "exit ${3:-0}"
}
train a 0.1
train "b c" 0.2 3
train '' "*" 4
