#!/bin/bash
#SBATCH --job-name=exit_plain
python end.py 3
exit
