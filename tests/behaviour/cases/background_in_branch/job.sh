#!/bin/bash
#SBATCH --job-name=background_in_branch
if [ -f nothing.txt ]; then
  python end.py 1 &
else
  python show.py b > b.txt &
fi
wait
cat b.txt
