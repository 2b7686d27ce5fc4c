#!/bin/bash
#SBATCH --job-name=substitution
N=$(ls data | wc -l)
python show.py "$N" "$(cat words.txt)" $(cat words.txt)
