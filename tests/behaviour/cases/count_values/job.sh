#!/bin/bash
#SBATCH --job-name=count_values
n=$(echo 4)
step=2
for ((i = 1; i <= n; i++)); do
    echo "$((i * i))"
done
for ((i = 0; i < n / 2; i += 2)); do
    for ((j = i; j < n; j++)); do
        [ $j -eq 3 ] && continue
        echo "$i,$j"
    done
done
for ((i = n; i > 0; i -= 2)); do
    echo "down $i"
    [ $i -lt 3 ] && break
done
m=0
for ((i = 0; i < m; i++)); do echo never; done
echo "status $?"
