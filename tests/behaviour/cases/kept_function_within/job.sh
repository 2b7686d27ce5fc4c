#!/bin/bash
#SBATCH --job-name=kept_function_within
[[ a =~ a ]] && echo x
f() { echo in f; }
[[ b =~ b ]] && echo y
python3 -c "print('between')"
f | cat
python3 -c "print('again')"
f | cat
usage() { printf "usage\n"; exit 1; }
[[ c =~ c ]] && echo z
python3 -c "print('end')"
