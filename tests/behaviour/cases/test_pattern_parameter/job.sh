#!/bin/bash
#SBATCH --job-name=pattern_parameter
if [[ $1 == run_?? ]]; then python show.py "$1"; fi
