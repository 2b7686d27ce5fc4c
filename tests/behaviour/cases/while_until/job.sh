#!/bin/bash
#SBATCH --job-name=while_until
until [ -f done.txt ]; do
  python show.py waiting
  touch done.txt
done
while true; do
  if [ -f more.txt ]; then break; fi
  touch more.txt
done
while python end.py 1; do echo never; done
echo "status $?"
