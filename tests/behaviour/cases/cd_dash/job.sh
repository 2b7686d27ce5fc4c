#!/bin/bash
#SBATCH --job-name=cd_dash
mkdir -p one two
cd one
echo in > here.txt
cd - > /dev/null
ls | grep -v flyte
cd two
cd - > /dev/null 2>&1
cat one/here.txt
cd - > /dev/null
echo two > here.txt
cd ..
cat two/here.txt
