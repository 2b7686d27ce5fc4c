#!/bin/bash
#SBATCH --job-name=in_missing
python copy_in.py < nowhere.txt
echo "status $?"
