#!/bin/bash
#SBATCH --job-name=nohup
nohup python show.py x > nohup.txt 2>&1 &
wait $!
cat nohup.txt
