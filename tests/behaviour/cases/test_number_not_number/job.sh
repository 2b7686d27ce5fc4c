#!/bin/bash
#SBATCH --job-name=not_number
if [ "$1" -gt 3 ]; then echo more; else echo "not more $?"; fi
