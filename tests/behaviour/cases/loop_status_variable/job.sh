#!/bin/bash
#SBATCH --job-name=loop_status
status=0
for code in 0 3 0; do
    python end.py $code || status=1
done
exit $status
