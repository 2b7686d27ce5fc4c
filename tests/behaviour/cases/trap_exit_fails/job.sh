#!/bin/bash
#SBATCH --job-name=trap_exit_fails
trap 'sh -c "exit 7"; printf "end\n"' EXIT
printf 'start\n'
sh -c 'exit 3'
