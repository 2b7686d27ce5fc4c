#!/bin/bash
#SBATCH --job-name=kept_errexit
set -e
A=1
python show.py "$A"
eval 'false && true'
python show.py after
hash -r
python end.py 3
python show.py never
