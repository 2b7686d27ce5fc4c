#!/bin/bash
#SBATCH --job-name=errexit
set -e
python show.py before
python end.py 4
python show.py never
