#!/bin/bash
#SBATCH --job-name=missing_dir
python show.py one > nowhere/out.txt
echo "status $?"
python show.py two
