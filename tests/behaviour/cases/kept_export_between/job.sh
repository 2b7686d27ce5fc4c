#!/bin/bash
#SBATCH --job-name=kept_export_between
X=$(printf '2026\n' | tr 0-9 x)
[[ $X =~ x ]] && printf 'm\n'
export X
[[ $X =~ x ]] && python3 -c "import os; print(os.environ.get('X'))"
python3 -c "import os; print(os.environ.get('X'))"
