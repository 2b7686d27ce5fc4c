#!/bin/bash
#SBATCH --job-name=exit_after_or
python end.py 3 || exit $?
echo never
