#!/bin/bash
#SBATCH --export=ALL,RATE=0.1,MODE=fast,STAGE=first
#SBATCH --time=10
python3 tune.py
STAGE=second
python3 tune.py
for word in $MODE; do
  [ -n "$RATE" ] && echo "$word at $RATE"
done
