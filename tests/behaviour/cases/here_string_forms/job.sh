#!/bin/bash
#SBATCH --job-name=here_string_forms
X="one  two"
python copy_in.py <<< "$X"
python copy_in.py <<< $X
python copy_in.py <<< 'a*b'
N=$(wc -l <<< "$X")
echo "lines $N"
