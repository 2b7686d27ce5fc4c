#!/bin/bash
#SBATCH --job-name=last_of_if
if [ -f job.sh ]; then
    python end.py 3
fi
