#!/bin/bash
#SBATCH --job-name=pipe_loop_fails
set -e
seq 2 | while read -r n; do
    echo $n
    sh -c "exit $n"
done
echo never
