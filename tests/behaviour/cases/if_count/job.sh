#!/bin/bash
#SBATCH --job-name=if_count
if [ $# -lt 1 ]; then
    echo "usage"
    exit 1
fi
python show.py "$1" "$#"
