#!/bin/bash
#SBATCH --job-name=cd_or_exit
cd nowhere || exit 7
python show.py never
