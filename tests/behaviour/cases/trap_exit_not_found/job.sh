#!/bin/bash
#SBATCH --job-name=trap_exit_not_found
set -e
trap 'printf "end\n"' EXIT
no-such-program-here a
printf 'not reached\n'
