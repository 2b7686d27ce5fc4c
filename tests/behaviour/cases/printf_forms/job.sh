#!/bin/bash
#SBATCH --job-name=printf
printf "%s-%03d\n" a 7 b 8
printf 'plain\n'
printf "no newline"
