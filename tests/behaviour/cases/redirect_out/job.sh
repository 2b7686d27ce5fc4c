#!/bin/bash
#SBATCH --job-name=redirect_out
python both.py 1 > out.txt
python both.py 2 >> out.txt
python both.py 3 > other.txt
python both.py 4 > other.txt
