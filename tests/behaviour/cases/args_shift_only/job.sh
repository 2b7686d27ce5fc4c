#!/bin/bash
#SBATCH --job-name=shift_only
shift
python show.py "$1"
python show.py "$@"
