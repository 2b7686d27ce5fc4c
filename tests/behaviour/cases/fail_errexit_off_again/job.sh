#!/bin/bash
#SBATCH --job-name=off
set -e
python show.py one
set +e
python end.py 6
python show.py two
set -e
python end.py 7
python show.py never
