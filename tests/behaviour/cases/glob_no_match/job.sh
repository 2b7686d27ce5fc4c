#!/bin/bash
#SBATCH --job-name=no_match
python show.py nothing/*.txt
ls *.none
echo "status $?"
