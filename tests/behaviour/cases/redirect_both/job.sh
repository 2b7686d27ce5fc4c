#!/bin/bash
#SBATCH --job-name=redirect_both
python both.py 1 > all.txt 2>&1
python both.py 2 &> amp.txt
python both.py 3 &>> amp.txt
python both.py 4 >> all.txt 2>&1
