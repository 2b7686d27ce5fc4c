#!/bin/bash
#SBATCH --job-name=while_counter
n=0
while [ $n -lt 3 ]; do
    python show.py $n
    n=$((n + 1))
done
until [ $n -eq 0 ]; do let n--; done
echo $n
