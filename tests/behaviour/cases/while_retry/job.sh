#!/bin/bash
#SBATCH --job-name=retry
tries=0
while ! python end.py 1; do
    tries=$((tries + 1))
    [ $tries -ge 3 ] && { echo "gave up"; exit 5; }
done
