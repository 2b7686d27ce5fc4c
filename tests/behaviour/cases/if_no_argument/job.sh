#!/bin/bash
#SBATCH --job-name=if_no_argument
if [ -z "$1" ]; then
    echo "usage: job.sh DATA"
    exit 1
fi
python show.py "$1"
