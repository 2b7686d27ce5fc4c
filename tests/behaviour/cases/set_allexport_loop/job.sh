#!/bin/bash
#SBATCH --job-name=set_allexport_loop
set -a
for word in a b; do
    last=$word
done
set +a
sh -c 'echo "[$word] [$last]"'
