#!/bin/bash
#SBATCH --job-name=two_files
python both.py 1 > out.txt 2> err.txt
