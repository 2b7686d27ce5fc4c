#!/bin/bash
#SBATCH --job-name=arithmetic
N=7
M=$((N * 2 + 1))
python show.py $M $((M / 4)) $((M % 4)) $((2 ** 5)) $(( N > 3 ? 1 : 0 )) $((-7 / 2)) $((-7 % 3))
((N++))
echo $N
let "N = N * 2"
echo $N $(expr 3 + 4)
