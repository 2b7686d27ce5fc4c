#!/bin/bash
#SBATCH --job-name=eval_pipefail
set -o pipefail
CMD="false | cat"
eval "$CMD"
printf 'status %s\n' "$?"
eval "true; false | true"
