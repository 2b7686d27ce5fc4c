#!/bin/bash
#SBATCH --job-name=if_command
if python end.py 0; then
    echo worked
fi
if ! python end.py 2; then
    echo failed
fi
if grep -q needle hay.txt; then echo found; fi
