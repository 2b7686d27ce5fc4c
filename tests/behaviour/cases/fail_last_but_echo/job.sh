#!/bin/bash
#SBATCH --job-name=last_echo
python end.py 3
echo "done"
