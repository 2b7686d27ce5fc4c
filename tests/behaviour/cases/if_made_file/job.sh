#!/bin/bash
#SBATCH --job-name=if_made
python show.py x > out.txt
if [ -s out.txt ]; then
    cat out.txt
fi
