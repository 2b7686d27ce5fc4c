#!/bin/bash
#SBATCH --job-name=missing_alone
python show.py one > nowhere/out.txt
python show.py two
