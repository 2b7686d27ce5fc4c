#!/bin/bash
#SBATCH --job-name=semicolons
python end.py 1; echo "status $?"; python show.py after
