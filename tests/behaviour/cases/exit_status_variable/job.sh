#!/bin/bash
#SBATCH --job-name=exit_status
python end.py 3
exit $?
