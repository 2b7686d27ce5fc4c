#!/bin/bash
#SBATCH --job-name=function_runs_builtin
mkdir -p data
run() { printf '+ %s\n' "$*"; "$@"; }
run mkdir -p d1
run cd data
run touch f
pwd | tail -c 5
run exit 4
printf 'not reached\n'
