#!/bin/bash
#SBATCH --job-name=errexit_and
set -e
[ -f nothing ] && echo never
python end.py 0 && python end.py 4
echo never
