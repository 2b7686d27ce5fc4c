#!/bin/bash
#SBATCH --job-name=if_last
python end.py 3
if [ -f nothing ]; then
    echo never
fi
