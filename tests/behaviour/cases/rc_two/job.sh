#!/bin/bash
#SBATCH --job-name=rc_two
python end.py 3
first=$?
python end.py 0
second=$?
echo "$first $second"
exit $((first + second))
