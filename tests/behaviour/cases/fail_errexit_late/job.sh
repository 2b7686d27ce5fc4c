#!/bin/bash
#SBATCH --job-name=late
python end.py 5
set -e
python end.py 6
python show.py never
