#!/bin/bash
#SBATCH --job-name=glob_exists
if ls part_*.txt > /dev/null 2>&1; then echo parts; fi
if [ -e part_*.none ]; then echo never; else echo none; fi
