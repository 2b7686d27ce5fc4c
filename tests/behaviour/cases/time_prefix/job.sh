#!/bin/bash
#SBATCH --job-name=time_prefix
time python end.py 3
echo "status $?"
nice -n 5 python show.py nice
timeout 20 python end.py 4
