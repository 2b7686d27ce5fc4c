#!/bin/bash
#SBATCH --job-name=rc_if
python end.py 3
if [ $? -ne 0 ]; then
    echo "it failed"
    exit 1
fi
echo "it worked"
