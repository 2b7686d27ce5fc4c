#!/bin/bash
#SBATCH --job-name=trap_in_function
setup() { trap 'printf "end\n"' EXIT; printf 'set up\n'; }
setup
printf 'work\n'
sh -c 'exit 2'
