#!/bin/bash
#SBATCH --job-name=after_substitution
x=$(printenv MODE)
export MODE=fast
echo "[$x]"
printenv MODE
