#!/bin/bash
#SBATCH --job-name=not_executable_middle
./plain.txt
echo "status $?"
python show.py after
