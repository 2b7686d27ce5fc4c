#!/bin/bash
#SBATCH --job-name=kept_errexit_twice
set -e
[[ ab =~ ^a(.)$ ]] && B=${BASH_REMATCH[1]}
python3 -c "print('between')"
[[ zz =~ ^a(.)$ ]] && B=never
python3 -c "import sys; print(sys.argv[1])" "$B"
C=$(printf 'x\n' | grep -o x)
[[ $C =~ ^(y)$ ]]
printf 'not reached\n'
