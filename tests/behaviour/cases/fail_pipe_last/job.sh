#!/bin/bash
#SBATCH --job-name=pipe_last
python end.py 9 | cat
