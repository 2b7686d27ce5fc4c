#!/bin/bash
#SBATCH --job-name=integer
declare -i N=3*4
sh -c 'echo "$@"' sh $N
N=5+6
sh -c 'echo "$@"' sh $N
N=x
sh -c 'echo "$@"' sh $N
