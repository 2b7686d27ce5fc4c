#!/bin/bash
#SBATCH --job-name=unset
export ONE=1 TWO=2
python variables.py ONE TWO LC_TIME
unset ONE LC_TIME
python variables.py ONE TWO LC_TIME
PLAIN=here
unset PLAIN NEVER_SET
echo "[$PLAIN] [$ONE] [$NEVER_SET]"
export ONE=again
python variables.py ONE TWO
if [ -n "$TWO" ]; then unset TWO; fi
python variables.py TWO
