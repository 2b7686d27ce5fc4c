#!/bin/bash
#SBATCH --job-name=trap_status
trap 'echo "ended with $?"; exit 9' EXIT
python end.py 3
