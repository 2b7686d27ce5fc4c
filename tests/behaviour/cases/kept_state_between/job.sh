#!/bin/bash
#SBATCH --job-name=kept_state_between
shopt -s nullglob
printf '<%s>\n' none*.txt
python3 -c "print('between')"
printf '<%s>\n' other*.txt
set -- one two
python3 -c "import sys; print(sys.argv[1:])" "$1"
shift
[[ $1 =~ ^t(.*)$ ]] && printf '%s\n' "${BASH_REMATCH[1]}"
