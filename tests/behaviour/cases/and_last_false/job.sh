#!/bin/bash
#SBATCH --job-name=and_last
python show.py one
[ -f nothing ] && echo never
