#!/bin/bash
#SBATCH --job-name=cd_missing
cd nowhere
python show.py still_here
