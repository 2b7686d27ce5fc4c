#!/bin/bash
#SBATCH --job-name=seq
N=3
for i in $(seq 1 $N); do python show.py $i; done
for i in `seq 2`; do python show.py $i; done
