#!/bin/bash
#SBATCH --job-name=strip
F=/a/b.c/file.tar.gz
python show.py "${F##*/}" "${F%/*}" "${F%.gz}" "${F%%.*}" "${F#*/}" "${F##*.}"
