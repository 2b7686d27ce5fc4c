#!/bin/bash
#SBATCH --job-name=xargs
cat words.txt | xargs -n 1 python show.py
ls data | xargs -I{} echo "file {}"
