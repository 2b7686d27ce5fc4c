#!/bin/bash
#SBATCH --job-name=errexit_group
set -e
python end.py 3 || { python end.py 4; echo "inside goes on"; }
echo never
