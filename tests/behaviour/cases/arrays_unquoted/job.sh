#!/bin/bash
#SBATCH --job-name=arrays_unquoted
X=("a b" c)
python show.py ${X[@]} $X
