#!/bin/bash
#SBATCH --job-name=required_variable_ends
IN=$(ls | grep fastq | head -n 1)
[[ a =~ a ]] && printf 'first\n'
python3 -c "print('between')"
: "${IN:?no input found}"
python3 -c "print('not reached')"
