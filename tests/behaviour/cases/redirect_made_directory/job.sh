#!/bin/bash
#SBATCH --job-name=made_directory
mkdir -p out/deep
python show.py one > out/deep/log.txt
python show.py two > out/top.txt
cat out/top.txt
