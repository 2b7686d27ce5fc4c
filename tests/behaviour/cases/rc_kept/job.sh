#!/bin/bash
#SBATCH --job-name=rc
python end.py 3
rc=$?
echo "rc is $rc"
exit $rc
