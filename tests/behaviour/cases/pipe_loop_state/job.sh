#!/bin/bash
#SBATCH --job-name=pipe_loop_state
total=1
seq 3 | while read -r n; do
    total=$((total + n))
    echo "$total"
done
echo "outside $total"
seq 2 | while read -r n; do
    cd /
done
ls | grep -v flyte
seq 3 | while read -r n; do
    [ $n -eq 2 ] && exit 5
    echo $n
done
echo "left with $?"
