#!/bin/bash
#SBATCH --job-name=for_counted
for ((i = 3; i > 0; i--)); do python show.py "$i"; done
for ((i=0; i<10; i+=5)); do echo $i; done
for n in $(seq 2 2 6) x; do echo "n$n"; done
for n in {8..12}; do echo -n "$n "; done
echo
N=8
for n in $(seq 1 $N); do echo -n "$n,"; done
echo
