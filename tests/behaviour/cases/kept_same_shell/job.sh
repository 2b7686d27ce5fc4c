#!/bin/bash
#SBATCH --job-name=kept_same_shell
[[ a =~ a ]] && printf 'one\n' > part.$$
python3 -c "print('between')"
[[ a =~ a ]] && cat part.$$
rm part.$$
