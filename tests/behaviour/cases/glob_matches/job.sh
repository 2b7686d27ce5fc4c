#!/bin/bash
#SBATCH --job-name=glob
python show.py data/*.txt
