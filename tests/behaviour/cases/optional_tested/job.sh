#!/bin/bash
#SBATCH --ntasks=1
if [ -n "$DEBUG" ]; then
  python3 show.py debugging
fi
[ -z "$RESUME" ] && python3 show.py afresh
python3 show.py end
