#!/bin/bash
#SBATCH --job-name=rc_of_if
if python end.py 3; then
  echo yes
else
  echo "no"
fi
echo "if $?"
for i in 1 2; do python end.py $i; done
echo "for $?"
python end.py 7
if [ $? -eq 7 ]; then echo seven; fi
python end.py 5
exit $?
