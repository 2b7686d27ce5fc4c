#!/bin/bash
#SBATCH --job-name=kept_twice
printf 'one\n'
eval_like() { printf 'in a function: %s\n' "$1"; }
eval_like first
ls -d / >/dev/null
python3 -c "print('python between')"
eval_like second
printf 'end\n'
