#!/bin/bash
#SBATCH --job-name=trap_signal_and_exit
finish() { printf 'finish\n'; }
trap finish EXIT INT TERM
printf 'one\n'
sh -c 'exit 2'
