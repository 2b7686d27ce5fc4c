#!/bin/bash
#SBATCH --job-name=exit_and
python end.py 3 && echo never
exit
