#!/bin/bash
#SBATCH --job-name=subshell
X=outer
(X=inner; python show.py "$X"; exit 3)
echo "status $? $X"
