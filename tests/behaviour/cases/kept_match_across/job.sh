#!/bin/bash
#SBATCH --job-name=kept_match_across
NAME=$(printf 'sample_12.fq\n' | cat)
[[ $NAME =~ _([0-9]+) ]]
python3 -c "print('between')"
ID=${BASH_REMATCH[1]}
python3 -c "import sys; print(sys.argv[1:])" "$ID"
