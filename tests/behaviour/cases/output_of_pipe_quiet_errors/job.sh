#!/bin/bash
#SBATCH --job-name=output_of_pipe_quiet_errors
N=$(ls missing_file 2>/dev/null | wc -l)
printf '%s\n' "$N"
N=$(cat < /dev/null | wc -l)
printf '%s\n' "$N"
printf 'a b\nc d\n' > in.txt
N=$(wc -w < in.txt | tr -d ' ')
printf '%s\n' "$N"
