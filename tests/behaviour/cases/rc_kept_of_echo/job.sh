#!/bin/bash
#SBATCH --job-name=rc_echo
python end.py 3
echo "finished"
rc=$?
echo "rc is $rc"
exit $rc
