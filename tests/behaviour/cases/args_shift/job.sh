#!/bin/bash
#SBATCH --job-name=args_shift
FIRST=$1
shift
python show.py "$FIRST" "$@"
