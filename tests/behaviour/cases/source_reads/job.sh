#!/bin/bash
#SBATCH --job-name=source_reads
BASE="/data/my set"
n=1
MODE=slow
source settings.env
echo "$DIR | $LEVEL | $MODE | $n"
sh -c 'echo "[$DIR] [$SHOWN] [$MODE]"'
for ((i = 0; i < n; i++)); do echo "$i"; done
MODE="$MODE again"
SHOWN=later
sh -c 'echo "[$SHOWN] [$MODE]"'
