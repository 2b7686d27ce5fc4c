#!/bin/bash
#SBATCH --job-name=trap_exit_errexit
set -e
trap 'printf "cleaning\n"; sh -c "exit 7"; printf "not reached\n"' EXIT
printf 'start\n'
sh -c 'exit 3'
printf 'not reached\n'
