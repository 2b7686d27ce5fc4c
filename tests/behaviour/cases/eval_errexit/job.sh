#!/bin/bash
#SBATCH --job-name=eval_errexit
set -e
CMD="sh -c 'exit 0'"
eval "$CMD"
printf 'here\n'
CMD="sh -c 'exit 4'; printf 'not reached\n'"
eval "$CMD"
printf 'not reached\n'
