#!/bin/bash
#SBATCH --job-name=substring
X=Hello
python show.py "${X:1:3}" "${X: -2}" "${X,,}" "${X^^}" "${X:0:1}"
