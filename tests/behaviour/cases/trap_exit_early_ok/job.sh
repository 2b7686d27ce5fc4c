#!/bin/bash
#SBATCH --job-name=trap_exit_early_ok
trap 'rm -rf scratch' EXIT
mkdir scratch
if [ -d scratch ]; then
  printf 'done already\n'
  exit 0
fi
printf 'not reached\n'
