#!/bin/bash
#SBATCH --job-name=args_empty
NAME=${1:-base}
OTHER=${2-base}
python show.py "$NAME" "$OTHER"
