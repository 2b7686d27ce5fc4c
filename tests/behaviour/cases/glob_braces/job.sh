#!/bin/bash
#SBATCH --job-name=braces
mkdir -p out/{train,val,test}
python show.py {1..4} file{a,b}.txt {x}
