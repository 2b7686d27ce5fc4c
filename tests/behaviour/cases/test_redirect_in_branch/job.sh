#!/bin/bash
#SBATCH --job-name=branch_redirect
if [ -f job.sh ]; then
    python both.py a > out.txt 2>&1
else
    python both.py b > other.txt
fi > /dev/null
cat out.txt
