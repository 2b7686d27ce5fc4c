#!/bin/bash
#SBATCH --job-name=pipe_grep
cat words.txt | grep an | sort -r | head -n 2
grep -c zzz words.txt
