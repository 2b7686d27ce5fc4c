#!/bin/bash
#SBATCH --job-name=kept_takes_loop
TOTAL=0
for n in 1 2 3; do TOTAL=$((TOTAL + n)); done
python3 -c "print('between')"
[[ $TOTAL =~ ^(.)$ ]] && TOTAL=${BASH_REMATCH[1]}0
python3 -c "import sys; print(sys.argv[1:])" "$TOTAL"
LABEL="x y"
export LABEL
python3 -c "print('again')"
[[ $LABEL =~ ^(.) ]] && python3 -c "import os; print(os.environ['LABEL'])"
printf '%s\n' "${BASH_REMATCH[1]}"
