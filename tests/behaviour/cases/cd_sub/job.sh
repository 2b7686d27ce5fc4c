#!/bin/bash
#SBATCH --job-name=cd_sub
cd sub
python ../where.py left.txt
cd ..
python where.py top.txt
