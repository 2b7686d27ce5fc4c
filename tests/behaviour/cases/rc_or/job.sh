#!/bin/bash
#SBATCH --job-name=rc_or
rc=0
python end.py 3 || rc=$?
echo "rc $rc"
if [ $rc -ne 0 ]; then
  python show.py "failed with $rc"
fi
exit $rc
