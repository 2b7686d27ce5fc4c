#!/bin/bash
#SBATCH --job-name=unmet
python end.py 3
if [ -f nothing ]; then echo never; fi
