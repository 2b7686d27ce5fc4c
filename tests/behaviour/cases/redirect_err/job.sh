#!/bin/bash
#SBATCH --job-name=redirect_err
python both.py 1 2> err.txt
python both.py 2 2>> err.txt
python both.py 3 2>/dev/null
