#!/bin/bash
#SBATCH --job-name=killed_errexit
set -e
python end.py INT
echo never
