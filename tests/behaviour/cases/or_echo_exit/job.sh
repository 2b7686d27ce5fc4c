#!/bin/bash
#SBATCH --job-name=or_exit
python end.py 2 || { echo "failed"; exit 8; }
echo never
