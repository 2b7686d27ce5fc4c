#!/bin/bash
#SBATCH --job-name=trap_exit_colon
trap : 0
printf 'one\n'
sh -c 'exit 3'
