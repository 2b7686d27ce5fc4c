#!/bin/bash
#SBATCH --job-name=last_of_else
if [ -f nothing ]; then
    echo never
else
    python show.py x
    [ -f nothing ]
fi
