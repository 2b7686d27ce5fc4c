#!/bin/bash
#SBATCH --job-name=module_load
module load python/3.11
python show.py after
