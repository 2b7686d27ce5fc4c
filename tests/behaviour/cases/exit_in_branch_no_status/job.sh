#!/bin/bash
#SBATCH --job-name=branch_exit
if ! python end.py 3; then
    exit
fi
echo never
