#!/bin/bash
#SBATCH --job-name=random_kept
eval "x=\$RANDOM"
[ "$x" -ge 0 ] && echo "is a number"
sh -c 'exit 2'
echo "goes on"
