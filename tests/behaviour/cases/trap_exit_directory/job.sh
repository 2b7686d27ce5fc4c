#!/bin/bash
#SBATCH --job-name=trap_exit_directory
mkdir -p work other
printf 'kept\n' > other/x.txt
trap 'printf "at %s\n" "$(basename "$PWD")"; rm -rf x.txt' EXIT
cd work
printf 'in work\n' > x.txt
cd ../other
ls
