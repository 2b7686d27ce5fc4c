#!/bin/bash
#SBATCH --job-name=ask_output_last
echo start
if [ -d . ]; then
  X=$(python end.py 4)
fi
