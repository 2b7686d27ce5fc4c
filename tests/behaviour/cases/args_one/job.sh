#!/bin/bash
#SBATCH --job-name=args
python show.py "$1" "$2"
