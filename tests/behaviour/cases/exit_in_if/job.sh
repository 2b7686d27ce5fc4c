#!/bin/bash
#SBATCH --job-name=exit_if
if [ ! -f input.txt ]; then
    echo "no input" 
    exit 2
fi
python show.py never
