#!/bin/bash
#SBATCH --job-name=elif_order
if python end.py 1; then
    echo one
elif python end.py 0; then
    echo two
elif python end.py 0; then
    echo three
else
    echo four
fi
