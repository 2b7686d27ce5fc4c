#!/bin/bash -l
#SBATCH --job-name=login
echo "profile says $FROM_PROFILE"
set -e
python3 show.py x
