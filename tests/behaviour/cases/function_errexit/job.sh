#!/bin/bash
#SBATCH --job-name=function_errexit
set -e
step() { printf 'step %s\n' "$1"; sh -c "exit $1"; printf 'after %s\n' "$1"; }
step 0
step 2
printf 'not reached\n'
