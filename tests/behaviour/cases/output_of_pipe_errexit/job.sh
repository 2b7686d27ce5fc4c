#!/bin/bash
#SBATCH --job-name=output_of_pipe_errexit
set -euo pipefail
X=$(printf 'a\nb\n' | tail -n 1)
printf '%s\n' "$X"
Y=$(printf 'a\nb\n' | grep z | cat)
printf 'not reached %s\n' "$Y"
