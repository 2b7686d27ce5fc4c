#!/bin/bash
#SBATCH --job-name=exit_zero
python end.py 3
exit 0
