#!/bin/bash
#SBATCH --job-name=after_or_number
python end.py 3 || exit 11
echo never
