#!/bin/bash
#SBATCH --job-name=cd_each
for d in x y; do
    mkdir -p $d
    cd $d
    pwd
    cd ..
done
