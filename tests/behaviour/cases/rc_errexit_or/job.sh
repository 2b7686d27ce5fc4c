#!/bin/bash
#SBATCH --job-name=rc_or
set -e
rc=0
python end.py 3 || rc=$?
echo "rc is $rc"
python show.py after
