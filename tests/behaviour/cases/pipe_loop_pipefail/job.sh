#!/bin/bash
#SBATCH --job-name=pipe_loop_pipefail
set -o pipefail
sh -c 'echo a; exit 4' | while read -r x; do echo "$x"; done
echo "status $?"
