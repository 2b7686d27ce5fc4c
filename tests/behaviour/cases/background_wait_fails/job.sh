#!/bin/bash
#SBATCH --job-name=background_fails
python end.py 3 > a.txt &
wait
echo "status $?"
