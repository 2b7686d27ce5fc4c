#!/bin/bash
#SBATCH --job-name=single
X=value
python show.py '$X' "'$X'" "\"$X\"" '"$X"'
python -c "print('$X')"
