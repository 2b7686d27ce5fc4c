#!/bin/bash
#SBATCH --job-name=special
python show.py "$1" "$2"
