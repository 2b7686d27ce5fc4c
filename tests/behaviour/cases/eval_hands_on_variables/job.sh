#!/bin/bash
#SBATCH --job-name=eval
LEFT=1
eval "$(cat env.txt)"
sh -c 'echo "$@" "$SEEN"' sh "$LEFT" "$RIGHT"
