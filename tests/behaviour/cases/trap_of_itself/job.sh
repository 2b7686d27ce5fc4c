#!/bin/bash
#SBATCH --job-name=trap_of_itself
trap 'printf "caught\n"' USR1
kill -USR1 $$
printf 'after\n'
