#!/bin/bash
#SBATCH --job-name=errexit_branch
set -e
if [ -f job.sh ]; then
    python end.py 3
    echo never
fi
echo never
