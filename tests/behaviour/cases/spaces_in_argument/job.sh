#!/bin/bash
#SBATCH --job-name=space_arg
python show.py "$1" $2
