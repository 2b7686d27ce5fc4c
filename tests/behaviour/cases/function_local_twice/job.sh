#!/bin/bash
#SBATCH --job-name=function_local_twice
one() { local f=$1; printf 'one %s\n' "$f"; }
two() { local f=$1; one "in $f"; printf 'two %s\n' "$f"; }
two a
one b
f=global
one c
printf '%s\n' "$f"
