#!/bin/bash
#SBATCH --job-name=kept_small
A="x y"
export B=two
python show.py "$A"
eval 'echo "$A $B $C"'
python variables.py B
python show.py after
