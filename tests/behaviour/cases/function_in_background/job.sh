#!/bin/bash
#SBATCH --job-name=function_in_background
slow() { sleep 0.$1; printf 'done %s\n' "$1"; }
slow 1 &
slow 4 &
wait
slow 0 | cat
R=$(slow 0)
printf '<%s>\n' "$R"
