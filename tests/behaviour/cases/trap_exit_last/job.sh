#!/bin/bash
#SBATCH --job-name=trap_exit_last
printf 'one\n'
sh -c 'exit 3'
trap 'printf "end\n"' EXIT
